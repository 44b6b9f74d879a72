import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { Agent, buildConnector } from 'undici'
import { connectToHost } from '#shared/platform/net/connect-to-host.ts'

const agent = new Agent({ connect: connectToHost(buildConnector, { lookup, timeout: 5_000 }) })
after(() => agent.destroy())

/** Calls a host that responds to the first bytes of a TLS client with these bytes. */
async function call(bytes: Buffer) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  await agent.request({ origin, path: '/', method: 'GET' }).finally(() => server.close())
}

/** The head of a TLS record of the handshake with 16 KB. */
const RECORD = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00])

test('a host that sends more than 12 KB before the connection is established is cut off', async () => {
  await assert.rejects(call(Buffer.concat([RECORD, Buffer.alloc(16 * 1024)])), /too many certificates/)
})

test('a host that sends less is answered by TLS', async () => {
  await assert.rejects(call(Buffer.from('no TLS at all')), /SSL routines/)
})
