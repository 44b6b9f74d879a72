import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { withListPermit } from '#shared/catalog/storefront/list-semaphore.ts'
import { newId } from '#shared/platform/db/id.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'

const SLEEP = { name: 'sleep_in_lists', text: 'select pg_sleep(60)::text' }

/** A list that takes longer than without a permit, and ends when `gate` resolves. Counts how many run at a time. */
function slowList(gate: Promise<unknown>) {
  const running = { now: 0, most: 0 }
  const read = (store: string, statement = 'slow') =>
    withListPermit(store, statement, async (timeoutMs) => {
      if (timeoutMs) return readInStore(store, SLEEP, [], timeoutMs).then(() => 'quick')
      running.now += 1
      running.most = Math.max(running.most, running.now)
      await gate
      running.now -= 1
      return 'slow'
    })
  return { read, running }
}

test('lists that take long run one at a time, and another list of the store does not wait for them', async () => {
  const store = newId()
  const gate = Promise.withResolvers<void>()
  const { read, running } = slowList(gate.promise)

  const slow = [read(store), read(store), read(newId())]
  const other = await withListPermit(store, 'other', async () => 'other')
  gate.resolve()

  assert.equal(other, 'other')
  assert.deepEqual(await Promise.all(slow), ['slow', 'slow', 'slow'])
  assert.equal(running.most, 1)
})

test('a store with many slow lists gets 429 for some, and another store its own', async () => {
  const [busy, other] = [newId(), newId()]
  const gate = Promise.withResolvers<void>()
  const { read } = slowList(gate.promise)
  const known = [read(busy), read(other)]
  gate.resolve()
  await Promise.all(known)

  const held = Promise.withResolvers<void>()
  const again = slowList(held.promise)
  const own = Promise.allSettled(Array.from({ length: 40 }, () => again.read(busy)))
  const others = again.read(other)
  held.resolve()
  const answers = await own

  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
  assert.equal(await others, 'slow')
  assert.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40 were refused`)
  assert.deepEqual([...new Set(refused)], ['rate_limit.exceeded'])
})

test('a failed list is not repeated', async () => {
  let reads = 0
  const fail = () => {
    reads += 1
    return Promise.reject(new Error('no'))
  }

  await assert.rejects(withListPermit(newId(), 'failing', fail), { message: 'no' })

  assert.equal(reads, 1)
})
