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

/** One list runs and 16 wait. */
const MOST = 17

test('a store with many slow lists gets 429 for some, and another store its own', async () => {
  const [busy, other] = [newId(), newId()]
  const gate = Promise.withResolvers<void>()
  const { read } = slowList(gate.promise)
  const refused: string[] = []
  const refuse = ({ code }: { code: string }) => {
    refused.push(code)
    if (refused.length === 41 - MOST) gate.resolve()
    return 'refused'
  }

  const own = Array.from({ length: 40 }, () => read(busy).catch(refuse))
  const others = read(other)

  assert.equal(await others, 'slow')
  await Promise.all(own)
  assert.deepEqual(refused, Array(41 - MOST).fill('rate_limit.exceeded'))
})

test('a list that is quick again needs no permit', async () => {
  const store = newId()
  await slowList(Promise.resolve()).read(store)

  const timeouts: unknown[] = []
  await withListPermit(store, 'slow', async (timeoutMs) => timeouts.push(timeoutMs))

  assert.deepEqual(timeouts, [250])
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
