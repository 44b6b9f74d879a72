import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { countBusyNetworks, inTurnOfNetwork } from '#api/platform/rate-limits/network-turns.ts'

/** Starts requests of a network that take until `end`. */
function start(network: string, count: number) {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const begun: number[] = []
  const responses = Array.from({ length: count }, () => new EventEmitter() as ServerResponse)
  const outcomes = responses.map((response, n) =>
    inTurnOfNetwork(network, response, async () => {
      begun.push(n)
      await promise
    }),
  )
  return { begun, responses, outcomes, end }
}

test('while 32 requests of a network run its others wait, and those of another network do not', async () => {
  const own = start('192.0.2.1', 100)
  const other = start('192.0.2.2', 1)
  await setImmediate()

  assert.deepEqual([own.begun.length, other.begun.length], [32, 1])
  own.end()
  other.end()
  await Promise.all([...own.outcomes, ...other.outcomes])

  assert.deepEqual(
    own.begun,
    Array.from({ length: 100 }, (_, n) => n),
  )
  assert.equal(countBusyNetworks(), 0)
})

test('a request whose client leaves before its turn does not run', async () => {
  const { begun, responses, outcomes, end } = start('192.0.2.3', 34)
  responses[32]?.emit('close')
  await assert.rejects(outcomes[32] as Promise<void>, { message: /Too many requests/ })
  end()
  await Promise.all(outcomes.toSpliced(32, 1))

  assert.equal(begun.length, 33)
  assert.ok(!begun.includes(32))
  assert.equal(countBusyNetworks(), 0)
})
