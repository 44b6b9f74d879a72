import '#test/support/database.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { createApp } from '#api/app.ts'
import { open } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { reservedResponseBytes } from '#api/platform/rate-limits/byte-budgets.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'
import { until } from '#test/support/races/until.ts'

const MIB = 1024 * 1024

let gate = Promise.withResolvers<string>()

const operation = (method: 'get' | 'post', path: string, handle: () => Promise<string>) =>
  endpoint({
    method,
    path,
    access: open,
    limits: [],
    summary: 'Return a text',
    returns: [200, Type.String()],
    example: { data: '' },
    handle,
  })

const SMALL = 'x'.repeat(10_000)
const LARGE = 'y'.repeat(3 * MIB)
const operations = [
  operation('get', '/slow', () => gate.promise),
  operation('get', '/small', async () => SMALL),
  operation('get', '/large', async () => LARGE),
  operation('post', '/large', async () => LARGE),
]

const server = createHttpServer(createApp(operations).callback()).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends requests together over a connection of their own. */
function send(...requests: string[]) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  const sent = { socket, received: '' }
  socket.on('data', (part) => {
    sent.received += part
  })
  socket.write(
    requests
      .map((line) => line.replace(' ', ' /api/v1'))
      .map(toRequest)
      .join(''),
  )
  return sent
}

const toRequest = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`

const untilNoneIsHeld = () => until('no response is held', async () => reservedResponseBytes() === 0)

test('small responses count against the memory while they wait for the response of an earlier request', async () => {
  const sent = send('GET /slow', 'GET /small', 'GET /small')
  await until('both responses wait', async () => reservedResponseBytes() > 2 * SMALL.length)
  gate.resolve('slow')
  await until('all responses are received', async () => sent.received.split(SMALL).length === 3)
  await untilNoneIsHeld()

  sent.socket.write(toRequest('GET /api/v1/small'))
  await until('one more is received', async () => sent.received.split(SMALL).length === 4)
  assert.equal(reservedResponseBytes(), 0)
  sent.socket.destroy()
})

test('a read whose response finds no room returns 429', async () => {
  gate = Promise.withResolvers()
  const sent = send('GET /slow', 'GET /large', 'GET /large', 'GET /large')
  await until('two responses wait', async () => reservedResponseBytes() > 2 * LARGE.length)
  gate.resolve('slow')

  await until('the third is refused', async () => sent.received.includes('rate_limit.exceeded'))
  assert.equal(sent.received.split(LARGE).length, 3)
  sent.socket.destroy()
  await untilNoneIsHeld()
})

test('the connection of a change whose response finds no room closes', async () => {
  gate = Promise.withResolvers()
  const { socket } = send('GET /slow', 'POST /large', 'POST /large', 'POST /large')

  await once(socket, 'close')

  await untilNoneIsHeld()
})

test('large responses that are ready at once are written in turns of their own', async (t) => {
  gate = Promise.withResolvers()
  const text = 'z'.repeat(400_000)
  using turns = watchLoopTurns()
  const end = ServerResponse.prototype.end
  t.mock.method(
    ServerResponse.prototype,
    'end',
    function (this: ServerResponse, ...rest: Parameters<typeof end>) {
      turns.note()
      return end.apply(this, rest)
    },
  )
  const asked = t.mock.method(ServerResponse.prototype, 'assignSocket')
  const all = Array.from({ length: 10 }, () => send('GET /slow'))
  await until('all requests have arrived', async () => asked.mock.callCount() === all.length)

  gate.resolve(text)
  await until('all responses are received', async () => all.every(({ received }) => received.includes(text)))

  assert.ok(turns.count >= 5, `${turns.count} turns`)
  for (const { socket } of all) socket.destroy()
  await untilNoneIsHeld()
})
