import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'koa'
import { takeTurnOfNetwork } from '#api/platform/pipeline/network-turns.ts'

/** Sends requests of a network in one turn. `begun` has the numbers of those that have begun. */
function send(ip: string, count: number) {
  const begun: number[] = []
  const contexts = Array.from(
    { length: count },
    () => ({ ip, state: {}, res: new EventEmitter() }) as unknown as Context,
  )
  const all = contexts.map((ctx, n) =>
    takeTurnOfNetwork(ctx, async () => {
      begun.push(n)
    }),
  )
  return { begun, contexts, all }
}

test('eight requests of a network begin in each turn of the event loop, first come, first served', async () => {
  const { begun, all } = send('192.0.2.1', 20)
  const counts: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await Promise.resolve()
    counts.push(begun.length)
    await nextTurn()
  }
  await Promise.all(all)

  assert.deepEqual(counts, [8, 16, 20])
  assert.deepEqual(
    begun,
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('requests of another network do not wait', async () => {
  const flood = send('192.0.2.1', 100)
  const other = send('198.51.100.1', 1)
  await Promise.all(other.all)

  assert.deepEqual({ flood: flood.begun.length, other: other.begun.length }, { flood: 8, other: 1 })
  await Promise.all(flood.all)
})

test('a request whose client leaves before its turn does not begin', async () => {
  const { begun, contexts, all } = send('192.0.2.1', 10)
  contexts[8]?.res.emit('close')
  await Promise.all(all)

  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 9])
  assert.equal(contexts[8]?.status, 499)
})
