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

/** Connects to a host whose certificates take this processor time to verify, and fail. Returns the error. */
async function failureOf(host: string, verifyMs: number): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('certificates')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const verify: typeof buildConnector = () => (options, callback) => {
    options.httpSocket?.once('data', () => {
      const begun = process.threadCpuUsage()
      const isDone = () => {
        const { user, system } = process.threadCpuUsage(begun)
        return user + system >= verifyMs * 1_000
      }
      while (!isDone());
      options.httpSocket?.destroy()
      callback(new Error('unknown authority'), null)
    })
  }
  const connector = connectToHost(verify, { lookup, timeout: 5_000 })
  const options = { protocol: 'https:', hostname: host, port: `${port}` }
  const failure = await new Promise<string>((resolve) =>
    connector(options, (...[error]) => resolve(error?.message ?? 'none')),
  )
  server.close()
  return failure
}

test('a host whose certificates take long to verify and fail is not connected to again at once', async () => {
  assert.match(await failureOf('127.0.0.2', 60), /unknown authority/)
  assert.match(await failureOf('127.0.0.2', 60), /take too long to verify/)
})

test('control: a host whose certificates fail at once is connected to again', async () => {
  assert.match(await failureOf('127.0.0.3', 0), /unknown authority/)
  assert.match(await failureOf('127.0.0.3', 0), /unknown authority/)
})
