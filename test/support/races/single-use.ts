import assert from 'node:assert/strict'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { ignoreBooksOf } from '#test/support/books/test-books.ts'
import { barrier } from '#test/support/races/barrier.ts'

const TRIES = 50

/** How many of 50 parallel attempts succeed; the others must fail with this code. */
export async function countSuccesses(attempt: () => Promise<unknown>, refusal: string): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: TRIES }, attempt))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.deepEqual(new Set(refused.map(({ reason }) => reason.code)), new Set([refusal]))
  return TRIES - refused.length
}

// One connection per attempt, so that all of them read before any writes.
const NAIVE_TRIES = 5

/** The control: all attempts read, then all write. Returns the number that succeeded. It breaks the store's books. */
export async function countNaiveSuccesses(
  { id }: { id: string },
  isUnused: (tx: StoreTx) => Promise<boolean>,
  use: (tx: StoreTx) => PromiseLike<unknown>,
): Promise<number> {
  ignoreBooksOf({ id })
  const meet = barrier(NAIVE_TRIES)
  const attempt = () =>
    inStore(id, async (tx) => {
      const isFirst = await isUnused(tx)
      await meet()
      if (isFirst) await use(tx)
      return isFirst
    })
  const firsts = await Promise.all(Array.from({ length: NAIVE_TRIES }, attempt))
  return firsts.filter(Boolean).length
}
