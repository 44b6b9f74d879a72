import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchLookups } from '#shared/platform/db/batch-lookups.ts'

test('what is asked at the same time is looked up once', async () => {
  const asked: string[][] = []
  const find = batchLookups<string>(async (keys) => {
    asked.push(keys)
    return new Map(keys.map((key) => [key, key.toUpperCase()]))
  })

  const found = await Promise.all([find('a'), find('b'), find('a')])

  assert.deepEqual(found, ['A', 'B', 'A'])
  assert.deepEqual(asked, [['a', 'b']])
})

test('a look-up starts after it was asked for: a later question never gets an earlier answer', async () => {
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

test('a failed look-up fails for all that asked, and the next one is tried anew', async () => {
  let fails = true
  const find = batchLookups<string>(async (keys) => {
    if (fails) throw new Error('away')
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
