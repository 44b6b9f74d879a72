import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { batchLookups } from '#shared/platform/db/batch-lookups.ts'
import {
  limitStoreConnections,
  UNLIMITED,
  withinConnectionLimit,
} from '#shared/platform/db/store-connection-limit.ts'

test('concurrent requests for a key share one look-up', async () => {
  const batches: string[][] = []
  const find = batchLookups<string>(async (keys) => {
    batches.push(keys)
    return new Map(keys.map((key) => [key, key.toUpperCase()]))
  })

  const found = await Promise.all([find('a'), find('b'), find('a')])

  assert.deepEqual(found, ['A', 'B', 'A'])
  assert.deepEqual(batches, [['a', 'b']])
})

test('a request during a look-up starts a new one, so its result is never older than the request', async () => {
  let truth = 1
  const gates: (() => void)[] = []
  const find = batchLookups<number>(async (keys) => {
    const seen = truth
    await new Promise<void>((resolve) => gates.push(resolve))
    return new Map(keys.map((key) => [key, seen]))
  })
  const first = find('a')
  await new Promise(setImmediate)
  truth = 2
  const later = [find('a'), find('b'), find('a')]
  gates.shift()?.()
  await new Promise(setImmediate)
  gates.shift()?.()

  assert.equal(await first, 1)
  assert.deepEqual(await Promise.all(later), [2, 2, 2])
})

test('a failed look-up rejects all its callers; the next request starts a new one', async () => {
  let fails = true
  const find = batchLookups<string>(async (keys) => {
    if (fails) throw new Error('unavailable')
    return new Map(keys.map((key) => [key, key]))
  })

  const outcomes = await Promise.allSettled([find('a'), find('b')])
  fails = false

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await find('a'), 'a')
})

test('while work waits for a connection, look-ups wait for each other and share a batch', async (t) => {
  const batches: string[][] = []
  const find = batchLookups<string>(async (keys) => {
    batches.push(keys)
    return new Map(keys.map((key) => [key, key]))
  })
  const { promise: connection, resolve: release } = Promise.withResolvers<void>()
  limitStoreConnections({ perStore: 1, shared: 1, waitMs: 10_000, timeout: () => new Error('timed out') })
  t.after(() => limitStoreConnections(UNLIMITED))
  const works = [1, 2, 3].map(() => withinConnectionLimit('store', () => connection))

  const first = find('a')
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  await Promise.all([first, find('b')])
  release()
  await Promise.all(works)

  assert.deepEqual(batches, [['a', 'b']])
})

test('look-ups that wait for each other begin when only one caller still waits for a connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const find = batchLookups<string>(async (keys) => new Map(keys.map((key) => [key, key])))
  limitStoreConnections({ perStore: 1, shared: 1, waitMs: 10_000, timeout: () => new Error('timed out') })
  t.after(() => limitStoreConnections(UNLIMITED))
  const connections = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const works = connections.map(({ promise }) => withinConnectionLimit('store', () => promise))
  let found: string | undefined
  const turns = async () => {
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
  }

  void find('a').then((value) => {
    found = value
  })
  await turns()
  const whileTwoWait = found
  connections[0]?.resolve()
  await turns()
  const whileOneWaits = found
  for (const { resolve } of connections) resolve()
  await Promise.all(works)

  assert.deepEqual({ whileTwoWait, whileOneWaits }, { whileTwoWait: undefined, whileOneWaits: 'a' })
})
