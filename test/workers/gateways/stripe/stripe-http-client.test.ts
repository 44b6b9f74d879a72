import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { until } from '#test/support/races/until.ts'
import { StripeHttpClient } from '#workers/gateways/stripe/stripe-http-client.ts'

const TIMEOUT_MS = 400
const EVERY_MS = 50
const WITHIN_MS = 10_000

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const ENDLESS = `10000\r\n${' '.repeat(0x10000)}\r\n`

/** Stripe's library with a server that answers each request like this. Its connections are closed at the end. */
async function openApi(t: TestContext, answer: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.on('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const api = new Stripe('sk_test_x', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    httpClient: new StripeHttpClient(),
  })
  return { read: () => api.paymentIntents.retrieve('pi_1'), open }
}

/** Collects the clients' ends of the connections that this process opens during a test. */
function collectClients(t: TestContext): Socket[] {
  const clients: Socket[] = []
  const collect = (message: unknown) => clients.push((message as { socket: Socket }).socket)
  diagnostics.subscribe('net.client.socket', collect)
  t.after(() => diagnostics.unsubscribe('net.client.socket', collect))
  return clients
}

const allClosed = (open: Set<Socket>) => until('the connection is closed', async () => open.size === 0)

function drip(socket: Socket, next: () => string): void {
  const timer = setInterval(() => socket.write(next()), EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}

for (const [name, answer] of [
  ['nothing', () => {}],
  [
    'one header after the other',
    (socket) => {
      let count = 0
      socket.write(HEAD)
      drip(socket, () => `X-${++count}: x\r\n`)
    },
  ],
  ['informational responses', (socket) => drip(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  [
    'a body byte by byte',
    (socket) => {
      socket.write(CHUNKED)
      drip(socket, () => '1\r\n \r\n')
    },
  ],
] as [string, (socket: Socket) => void][])
  test(`a gateway that sends ${name} is given up at the time-out`, { timeout: WITHIN_MS }, async (t) => {
    const { read, open } = await openApi(t, answer)

    await assert.rejects(read(), (error: Error) => {
      assert.ok(error instanceof Stripe.errors.StripeConnectionError)
      assert.match(error.message, /timeout/)
      return true
    })
    await allClosed(open)
  })

test('an endless response is cut off', { timeout: WITHIN_MS }, async (t) => {
  const { read, open } = await openApi(t, (socket) => {
    const send = () => {
      while (!socket.destroyed && socket.write(ENDLESS));
    }
    socket.on('drain', send).write(CHUNKED)
    send()
  })

  await assert.rejects(read(), Stripe.errors.StripeConnectionError)
  await allClosed(open)
})

for (const [name, body] of [
  ['nested lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ['many empty objects', `[${'{},'.repeat(1_000_000)}1]`],
  ['many fields', `{"id":"pi_1"${Array.from({ length: 300_000 }, (_, n) => `,"k${n}":1`).join('')}}`],
] as const)
  test(`a response with ${name} is refused before it is parsed`, { timeout: WITHIN_MS }, async (t) => {
    const { read } = await openApi(t, (socket) =>
      socket.end(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`),
    )

    await assert.rejects(read(), (error: Error) => {
      assert.ok(error instanceof Stripe.errors.StripeConnectionError)
      return true
    })
  })

test('a response in pieces is read whole, and its connection is used again', async (t) => {
  const pieces = [CHUNKED, '9\r\n{"id":"pi\r\n', '5\r\n_ä"}\r\n', '0\r\n\r\n']
  const clients = collectClients(t)
  const { read, open } = await openApi(t, async (socket) => {
    const client = clients.find(({ localPort }) => localPort === socket.remotePort)
    for (const piece of pieces) {
      socket.write(piece)
      await until('the client has read the piece', async () => client?.bytesRead === socket.bytesWritten)
    }
  })

  assert.equal((await read()).id, 'pi_ä')
  assert.equal((await read()).id, 'pi_ä')
  assert.equal(open.size, 1)
})

for (const [status, body] of [
  ['503 Service Unavailable', '"Service Unavailable"'],
  ['503 Service Unavailable', '{"message":"Service Unavailable"}'],
  ['302 Found', '{"id":"pi_1"}'],
  ['200 OK', 'true'],
  ['200 OK', '7'],
  ['200 OK', '[{"id":"pi_1"}]'],
  ['400 Bad Request', '{"error":5}'],
] as const)
  test(`a response of ${status} with ${body} has no result`, { timeout: WITHIN_MS }, async (t) => {
    const { read } = await openApi(t, (socket) =>
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )

    await assert.rejects(read(), Stripe.errors.StripeAPIError)
  })

test('a gateway that switches protocols has no result', { timeout: WITHIN_MS }, async (t) => {
  const { read, open } = await openApi(t, (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
  )

  await assert.rejects(read(), Stripe.errors.StripeConnectionError)
  await allClosed(open)
})

test("the texts of the gateway's errors are shortened", { timeout: WITHIN_MS }, async (t) => {
  const long = 'x'.repeat(10_000)
  const body = JSON.stringify({ error: { type: 'invalid_request_error', code: long, message: long } })
  const { read } = await openApi(t, (socket) =>
    socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  )

  await assert.rejects(read(), (error: Stripe.errors.StripeError) => {
    assert.deepEqual([error.code?.length, error.message.length], [1_000, 1_000])
    return true
  })
})

test('a response that ends early and one that is no JSON have no result', async (t) => {
  const early = await openApi(t, (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\n{"id":`))
  const noJson = await openApi(t, (socket) => socket.end(`${HEAD}Content-Length: 4\r\n\r\nnope`))

  await assert.rejects(early.read(), Stripe.errors.StripeConnectionError)
  await assert.rejects(noJson.read(), Stripe.errors.StripeAPIError)
})
