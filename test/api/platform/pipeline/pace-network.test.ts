import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { paceNetwork } from '#api/platform/pipeline/pace-network.ts'

/** Sends requests of a network in one turn. `begun` and `refused` have their numbers. */
function send(network: string, count: number) {
  const begun: number[] = []
  const refused: number[] = []
  const sockets = Array.from({ length: count }, () => ({ writable: true }) as Socket & { writable: boolean })
  for (const [n, socket] of sockets.entries())
    paceNetwork(network, { socket, begin: () => begun.push(n), refuse: () => refused.push(n) })
  return { begun, refused, sockets }
}

async function untilAllBegan(): Promise<void> {
  for (let turn = 0; turn < 300; turn++) await nextTurn()
}

test('eight requests of a network begin in each turn of the event loop, first come, first served', async () => {
  const { begun } = send('a', 20)
  const counts = [begun.length]
  for (let turn = 0; turn < 2; turn++) {
    await nextTurn()
    counts.push(begun.length)
  }

  assert.deepEqual(counts, [8, 16, 20])
  assert.deepEqual(
    begun,
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('requests of another network do not wait', async () => {
  const flood = send('b', 100)
  const other = send('c', 1)

  assert.deepEqual({ flood: flood.begun.length, other: other.begun.length }, { flood: 8, other: 1 })
  await untilAllBegan()
  assert.equal(flood.begun.length, 100)
})

test('a request whose connection closes before its turn does not begin', async () => {
  const { begun, sockets } = send('d', 10)
  Object.assign(sockets[8] ?? {}, { writable: false })
  await untilAllBegan()

  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 9])
})

test('2,000 of 2,100 requests of a network at a time wait, and the rest are refused', async () => {
  const { begun, refused } = send('e', 2_100)

  assert.equal(refused.length, 2_100 - 8 - 2_000)
  await untilAllBegan()
  assert.equal(begun.length, 8 + 2_000)
})
