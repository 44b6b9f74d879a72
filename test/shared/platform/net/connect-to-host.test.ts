import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { buildConnector, Agent as Client } from 'undici'
import { connectToHost } from '#shared/platform/net/connect-to-host.ts'
import { floodWithTickets } from '#test/support/faults/ticket-flood.ts'
import { until } from '#test/support/races/until.ts'

const certificate = (name: string) => readFile(new URL(`certificates/${name}`, import.meta.url))

const [key, ca, rsaKey, rsaCertificate, slowChain] = await Promise.all([
  certificate('localhost.key'),
  certificate('localhost.pem'),
  certificate('localhost-rsa.key'),
  certificate('localhost-rsa.pem'),
  certificate('slow-chain.pem'),
])
const MIB = 1024 * 1024

/** A client that trusts the certificate of these tests. */
const client = (timeout = 5_000) =>
  new Client({
    connect: connectToHost((options) => buildConnector({ ...options, ca: [ca, rsaCertificate] }), {
      lookup,
      timeout,
    }),
  })

const clients: Client[] = []
after(() => Promise.all(clients.map((one) => one.destroy())))

function openClient(timeout?: number): Client {
  const opened = client(timeout)
  clients.push(opened)
  return opened
}

/** Starts a server on a loopback address. Returns its origin and its number of open connections. */
async function listen(server: Server, host = '127.0.0.1') {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://${host}:${port}`,
    countConnections: () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  }
}

const listenByTls = (respond: (request: IncomingMessage, response: ServerResponse) => void) =>
  listen(createHttpsServer({ key, cert: ca }, respond))

/** Calls a host that responds to the first bytes of a TLS client with these bytes. */
async function callHostThatSends(bytes: Buffer): Promise<void> {
  const host = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes))
  })
  const { origin } = await listen(host)
  await openClient().request({ origin, path: '/', method: 'GET' })
}

/** The head of a TLS record of the handshake with 16 KB. */
const RECORD = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00])

test('a host that sends more than 16 KB before the connection is established is cut off', async () => {
  const bytes = Buffer.concat([RECORD, Buffer.alloc(20 * 1024)])

  await assert.rejects(callHostThatSends(bytes), /too much before the connection/)
})

test('a shorter invalid handshake fails in TLS', async () => {
  await assert.rejects(callHostThatSends(Buffer.from('no TLS at all')), /SSL routines/)
})

test('a host that does not begin the handshake is given up at the time-out', async () => {
  const { origin, countConnections } = await listen(createServer((socket) => socket.resume()))

  await assert.rejects(openClient(300).request({ origin, path: '/', method: 'GET' }))

  await until('the connection is closed', async () => (await countConnections()) === 0)
})

test('requests of a megabyte share a connection by TLS', async () => {
  const ports = new Set<number | undefined>()
  const { origin } = await listenByTls((request, response) => {
    ports.add(request.socket.remotePort)
    request.pipe(response)
  })
  const caller = openClient()
  const sent = 'x'.repeat(MIB)

  for (let time = 0; time < 3; time++) {
    const { body } = await caller.request({ origin, path: '/', method: 'POST', body: sent })
    assert.equal((await body.text()).length, MIB)
    // The connection is free a moment after the end of the response.
    await setImmediate()
  }

  assert.equal(ports.size, 1)
})

test('a slow reader gets the whole response of a host that closes the connection', async () => {
  const { origin, countConnections } = await listenByTls((_, response) =>
    response.writeHead(200, { Connection: 'close' }).end('x'.repeat(4 * MIB)),
  )

  const { body } = await openClient().request({ origin, path: '/', method: 'GET' })
  let read = 0
  for await (const piece of body) {
    read += piece.length
    if (read < MIB)
      await until('the reader is behind', async () => body.readableLength >= body.readableHighWaterMark)
  }

  assert.equal(read, 4 * MIB)
  await until('the connection is closed', async () => (await countConnections()) === 0)
})

test('a connection that the host resets after the handshake fails the request', async () => {
  const { origin, countConnections } = await listenByTls((request) => request.socket.destroy())

  await assert.rejects(openClient().request({ origin, path: '/', method: 'GET' }))

  await until('the connection is closed', async () => (await countConnections()) === 0)
})

test('a certificate of an unknown authority is refused each time', async () => {
  const { origin } = await listenByTls((_, response) => response.end())
  const stranger = new Client({ connect: connectToHost(buildConnector, { lookup, timeout: 5_000 }) })
  clients.push(stranger)

  for (let time = 0; time < 2; time++)
    await assert.rejects(stranger.request({ origin, path: '/', method: 'GET' }), /self-signed/)
})

test('a host whose certificates take long to verify and fail is refused before TLS for a while', async () => {
  const handshakes: string[] = []
  const server = createHttpsServer({ key, cert: slowChain }, () => {})
  server.on('tlsClientError', ({ message }) => handshakes.push(message))
  const { origin } = await listen(server, '127.0.0.2')
  const call = () => openClient().request({ origin, path: '/', method: 'GET' })

  await assert.rejects(call(), /unable to get (local )?issuer certificate|unable to verify/)
  await assert.rejects(call(), /take too long to verify/)
})

const CONNECTIONS = 5

test('a host with slow certificates on several connections has only the first verified', async () => {
  const server = createHttpsServer({ key, cert: slowChain }, () => {})
  const waiting: Socket[] = []
  const front = createServer((socket) => {
    waiting.push(socket.on('error', () => {}))
    if (waiting.length === CONNECTIONS) for (const one of waiting) server.emit('connection', one)
  })
  const { origin } = await listen(front, '127.0.0.3')

  const calls = Array.from({ length: CONNECTIONS }, () =>
    openClient().request({ origin, path: '/', method: 'GET' }),
  )
  const errors = (await Promise.allSettled(calls)).map((call) =>
    String('reason' in call ? call.reason : call),
  )

  assert.deepEqual(
    [/issuer certificate|unable to verify/, /take too long to verify/].map(
      (error) => errors.filter((message) => error.test(message)).length,
    ),
    [1, CONNECTIONS - 1],
  )
})

const flood = async () => (await listen(floodWithTickets({ key, cert: ca }, MIB / 4))).origin

test('a host that sends session tickets and no data is cut off', async () => {
  const call = openClient().request({ origin: await flood(), path: '/', method: 'GET' })

  await assert.rejects(call, /too much that is not data/)
})

test('control: without the limit, all session tickets of a host are read', async () => {
  const unlimited = new Client({ connect: { ca } })
  clients.push(unlimited)

  await assert.rejects(
    unlimited.request({ origin: await flood(), path: '/', method: 'GET' }),
    /other side closed/,
  )
})

const DHE = 'DHE-RSA-AES128-GCM-SHA256'
const ECDHE = 'ECDHE-RSA-AES128-GCM-SHA256'

test('a host that offers only DHE, whose modulus it chooses, is refused; one that offers ECDHE by TLS 1.2 is not', async () => {
  const call = async (ciphers: string) => {
    const rsa = {
      key: rsaKey,
      cert: rsaCertificate,
      maxVersion: 'TLSv1.2',
      dhparam: 'auto',
      ciphers,
    } as const
    const { origin } = await listen(createHttpsServer(rsa, (_, response) => response.end()))
    return openClient().request({ origin, path: '/', method: 'GET' })
  }

  await assert.rejects(call(DHE), /handshake failure/)
  assert.equal((await call(`${DHE}:${ECDHE}`)).statusCode, 200)
})

test('a host may not renegotiate its handshake', async () => {
  const outcome = Promise.withResolvers<string>()
  const tls12 = { key, cert: ca, maxVersion: 'TLSv1.2' } as const
  const server = createHttpsServer(tls12, ({ socket }) => {
    socket.on('error', ({ message }) => outcome.resolve(message))
    ;(socket as TLSSocket).renegotiate({}, (error) => outcome.resolve(error?.message ?? 'renegotiated'))
  })
  const { origin } = await listen(server)

  const request = openClient().request({ origin, path: '/', method: 'GET' })
  request.catch(() => {})

  assert.match(await outcome.promise, /no renegotiation/)
})
