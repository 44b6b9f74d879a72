import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { paceNetwork } from '#api/platform/pipeline/pace-networks.ts'

/** Sends requests of a network in one turn. `begun` has the numbers of those that have begun. */
function send(network: string, count: number) {
  const begun: number[] = []
  const sockets = Array.from({ length: count }, () => {
    const socket = { destroyed: false, destroy: () => Object.assign(socket, { destroyed: true }) }
    return socket
  })
  for (const [n, socket] of sockets.entries())
    paceNetwork(network, socket as unknown as Socket, () => begun.push(n))
  return { begun, sockets }
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
  sockets[8]?.destroy()
  await untilAllBegan()

  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 9])
})

test('of 2,100 requests of a network at a time, 2,000 wait, and the connections of the rest are closed', async () => {
  const { begun, sockets } = send('e', 2_100)

  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 2_100 - 8 - 2_000)
  await untilAllBegan()
  assert.equal(begun.length, 8 + 2_000)
})
