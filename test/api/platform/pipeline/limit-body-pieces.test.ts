import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildApiToken } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl, rawRequest, request } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

const chunks = (text: string) => `${[...text].map((character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`

const head = (line: string, headers: Record<string, string>) =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    'Transfer-Encoding: chunked',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\r\n')

/** Sends a guest's cart in chunks of one byte. */
async function sendCart(store: { key: string }, bytes: number, line = 'PATCH /api/v1/cart') {
  const headers = { 'X-Service-Key': store.key, 'Content-Type': 'application/json' }
  return rawRequest(head(line, headers), chunks('{"metadata":{}}'.padEnd(bytes)))
}

const REFUSED = /^HTTP\/1\.1 400 .*too many small chunks/s

test('a body of more than 100 tiny chunks is refused', async () => {
  const store = await buildStore()

  const response = await sendCart(store, 110)

  assert.match(response, REFUSED)
  const carts = await inStore(store.id, (tx) => tx.knex('carts'))
  assert.deepEqual(carts, [])
})

test('a file of more than 100 tiny chunks is refused, and its first part is not imported', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read', 'catalog:write')
  const file = `Handle,Title,Variant SKU,Variant Price\r\n${'a,A,A,1\r\n'.repeat(20)}`

  const response = await rawRequest(
    head('POST /api/v1/admin/products/import', {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/csv',
    }),
    chunks(file),
  )

  assert.match(response, REFUSED)
  const { data } = await request('GET /admin/catalog-jobs', { token })
  assert.deepEqual(data, [])
})

test('a body of 90 tiny chunks is read', async () => {
  const store = await buildStore()

  assert.match(await sendCart(store, 90), /^HTTP\/1\.1 200 /)
})

test('tiny chunks after the response close their connection', async () => {
  const { port } = new URL(baseUrl)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.write(`${head('GET /health/live', {})}\r\n`)
  const [response] = await once(socket, 'data')
  assert.match(response, /^HTTP\/1\.1 200/)

  socket.write('1\r\na\r\n'.repeat(110))

  await once(socket, 'close')
})

/** Begins a request with a body without an end, whose response comes first. */
async function beginUnreadBody() {
  const { port } = new URL(baseUrl)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  socket.write(`${head('POST /nowhere', {})}\r\n`)
  const [response] = await once(socket, 'data')
  assert.match(response, /^HTTP\/1\.1 404/)
  return { socket, closed }
}

test('a body that goes on for more than a megabyte after the response closes its connection', async () => {
  const { socket, closed } = await beginUnreadBody()
  const piece = `400\r\n${'a'.repeat(1_024)}\r\n`

  socket.write(piece.repeat(1_000))
  await until('all is sent', async () => socket.writableLength === 0)
  assert.equal(socket.destroyed, false)
  socket.write(piece.repeat(100))

  await closed
})

test('a body that goes on for five seconds after the response closes its connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { socket, closed } = await beginUnreadBody()

  t.mock.timers.tick(4_999)
  assert.equal(socket.destroyed, false)
  t.mock.timers.tick(1)

  await closed
})

test('a whole body that nobody reads keeps its connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { socket } = await beginUnreadBody()

  socket.write('1\r\na\r\n0\r\n\r\n')
  socket.write(`${head('POST /nowhere', {})}\r\n0\r\n\r\n`)
  await once(socket, 'data')
  t.mock.timers.tick(10_000)
  socket.write(`${head('POST /nowhere', {})}\r\n0\r\n\r\n`)

  await once(socket, 'data')
  socket.destroy()
})

test('tiny chunks that nobody reads close their connection, and the service goes on', async () => {
  const store = await buildStore()

  await sendCart(store, 110, 'GET /health/live')

  const { status } = await request('GET /cart', { store })
  assert.equal(status, 200)
})
