import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'

// More than the buffers of a connection hold.
const CONTENT = Buffer.alloc(64 * 1024 * 1024)

/** A server that answers all of `CONTENT` in one write, and a client that reads nothing of it. */
async function buildSlowReader(stallMs: number) {
  process.env.DOWNLOAD_STALL_MS = String(stallMs)
  resetConfig()
  const answered = Promise.withResolvers<ServerResponse>()
  const server = createHttpServer((_, response) => {
    response.end(CONTENT)
    answered.resolve(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  after(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { response: await answered.promise, port }
}

test('a response whose client reads too slowly ends after two minutes, and one that is read does not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { response, port } = await buildSlowReader(600_000)
  const closed = once(response, 'close')

  const read = await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer()
  t.mock.timers.tick(120_000)
  await closed

  assert.equal(read.byteLength, CONTENT.length)
  assert.equal(response.writableFinished, false)
})

test('a response ends when its client reads nothing for DOWNLOAD_STALL_MS', async () => {
  const { response } = await buildSlowReader(200)

  await once(response, 'close')

  assert.equal(response.writableFinished, false)
})

test('a response to a client that has left starts no timer, which would hold it for two minutes', async (t) => {
  const answered = Promise.withResolvers<void>()
  const server = createHttpServer((_, response) => {
    response.once('close', () => {
      response.end('late')
      setImmediate(answered.resolve)
    })
    socket.destroy()
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const timers = t.mock.method(globalThis, 'setTimeout')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

  await answered.promise

  assert.deepEqual(
    timers.mock.calls.map(({ arguments: [, ms] }) => ms),
    [],
  )
})
