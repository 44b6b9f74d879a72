import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { register } from 'prom-client'
import { createApp } from '#api/app.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { until } from '#test/support/races/until.ts'

const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'
const UNKNOWN = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const LAST = 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const countOf = (answer: string) => answer.split('HTTP/1.1 200 OK').length - 1

const app = createApp().callback()
let handled = 0
const server = createHttpServer((request, response) => {
  handled++
  void app(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo

/** Sends bytes over a connection of its own, and reads all that comes back until it is closed. */
const exchange = (bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket).catch(() => 'reset')
}

async function closedFor(limit: string): Promise<number | undefined> {
  const counted = await register.getSingleMetric('http_connections_closed_total')?.get()
  return counted?.values.find(({ labels }) => labels.limit === limit)?.value
}

test('a connection with 4 pipelined requests gets all responses, and can send 4 more', async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  for (let round = 1; round <= 3; round++) {
    socket.write(REQUEST.repeat(4))
    await until('all requests have a response', async () => countOf(answer) === 4 * round)
  }
  socket.write(LAST)
  await once(socket, 'close')

  assert.equal(countOf(answer), 13)
})

test('a request with 100 headers is served; one with more returns 431 in the envelope', async () => {
  const withHeaders = (count: number) =>
    exchange(
      LAST.replace(
        '\r\n\r\n',
        `\r\n${Array.from({ length: count - 2 }, (_, n) => `x-${n}: 1\r\n`).join('')}\r\n`,
      ),
    )

  assert.match(await withHeaders(100), /^HTTP\/1\.1 200/)
  assert.match(await withHeaders(101), /^HTTP\/1\.1 431[\s\S]*"error_code":"request\.malformed"/)
})

test('a request with an unknown expectation is counted and served as any other', async () => {
  handled = 0
  const expecting = LAST.replace('\r\n\r\n', '\r\nExpect: x\r\n\r\n')

  assert.match(await exchange(expecting), /^HTTP\/1\.1 200/)
  await exchange(UNKNOWN.replace('\r\n\r\n', '\r\nExpect: x\r\n\r\n').repeat(2_000))
  assert.ok(handled <= 5, `${handled} requests were handled`)
})

test('a connection with more pipelined requests is closed after 4, and other connections are served', async () => {
  handled = 0

  const answer = await exchange(UNKNOWN.repeat(2_500))
  const handledOfOne = handled

  assert.ok(answer.split('HTTP/1.1 404').length <= 5, answer.slice(0, 200))
  assert.ok(handledOfOne <= 4, `${handledOfOne} requests were handled`)
  assert.equal(await closedFor('pipelined'), 2)
  assert.equal(countOf(await exchange(LAST)), 1)
})
