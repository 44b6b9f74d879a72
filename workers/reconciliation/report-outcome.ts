import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import { booksDifferMail, toBooksDiffer } from '#shared/reconciliation/mails/books-differ.ts'
import { type Book, recordOutcome } from '#shared/reconciliation/outcome.ts'
import { mailOwner } from '#shared/staff/ownership/mail-owner.ts'
import { isPurging } from '#shared/stores/store.ts'

interface Outcome {
  book: Book
  found: readonly Discrepancy[]
  /** Whether this is the last attempt. By then, all late notifications have arrived. */
  isLast: boolean
}

/**
 * Records the outcome of a comparison for /metrics. Throws for a difference, and at the last attempt mails the store's
 * owner. The differences of a store under purge mean nothing, because its rows disappear.
 */
export async function reportOutcome(storeId: string, { book, found, isLast }: Outcome): Promise<void> {
  const isReported = await inStore(storeId, async (tx) => {
    if (await isPurging(tx)) return false
    await recordOutcome(tx, book, found.length)
    if (isLast && found.length) await mailOwner(tx, booksDifferMail, toBooksDiffer(found))
    return found.length > 0
  })
  if (isReported)
    throw new Error(`The books of the store ${storeId} have ${found.length} differences. ${describe(found)}`)
}

const describe = (found: readonly Discrepancy[]): string =>
  found
    .slice(0, 5)
    .map(
      ({ invariant, subject, expected, found }) =>
        `${invariant}, ${subject}: expected ${expected}, found ${found}`,
    )
    .join('; ')
