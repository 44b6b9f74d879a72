import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { test } from 'node:test'
import { ConnectionLimit } from '#api/platform/pipeline/client-connection-limit.ts'
import { MIB, usedHeap } from '#test/support/measure/used-heap.ts'

// Sockets without a network: no machine has many addresses of IPv6.
class RemoteSocket extends EventEmitter {
  readonly remoteAddress: string
  destroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

function scene(most: number) {
  const server = new EventEmitter()
  const limit = new ConnectionLimit(server as Server, most)
  const open = (address: string) => {
    const socket = new RemoteSocket(address)
    server.emit('connection', socket)
    return socket
  }
  return { limit, open }
}

test('at the limit, connections from many addresses of one IPv6 network lock no other network out', () => {
  const { open } = scene(4)
  const own = ['1', '2', '3', '4'].map((part) => open(`2001:db8:1:${part}::${part}`))

  const other = open('2001:db8:2::1')

  assert.equal(other.destroyed, false)
  assert.deepEqual(
    own.map(({ destroyed }) => destroyed),
    [true, false, false, false],
  )
})

test('at the limit, a network with one connection closes the one of the network that is silent the longest', () => {
  const { open } = scene(3)
  const silent = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(open)

  const served = ['10.0.0.4', '10.0.0.5'].map(open)

  assert.deepEqual(
    [...silent, ...served].map(({ destroyed }) => destroyed),
    [true, true, false, false, false],
  )
})

test('the network with the earlier last request loses its connection if each has one', () => {
  const { limit, open } = scene(2)
  const [active, silent] = [open('10.0.0.1'), open('10.0.0.2')]
  limit.begin({ socket: active } as unknown as IncomingMessage)?.()

  open('10.0.0.3')

  assert.deepEqual([active.destroyed, silent.destroyed], [false, true])
})

test('networks without open connections take no memory', () => {
  const { limit, open } = scene(2_000)
  const before = usedHeap()

  for (let i = 0; i < 100_000; i++) open(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`).destroy()

  const mib = (usedHeap() - before) / MIB
  assert.ok(mib < 5, `${mib.toFixed(1)} MiB`)
  assert.ok(limit)
})
