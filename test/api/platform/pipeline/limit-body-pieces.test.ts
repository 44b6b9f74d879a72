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

test('a body of more than 1,000 tiny chunks is refused', async () => {
  const store = await buildStore()

  const response = await sendCart(store, 1_100)

  assert.match(response, REFUSED)
  const carts = await inStore(store.id, (tx) => tx.knex('carts'))
  assert.deepEqual(carts, [])
})

test('a file of more than 1,000 tiny chunks is refused, and its first part is not imported', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read', 'catalog:write')
  const file = `Handle,Title,Variant SKU,Variant Price\r\n${'a,A,A,1\r\n'.repeat(200)}`

  const response = await rawRequest(
    head('POST /api/v1/admin/products/import', {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/csv',
    }),
    chunks(file),
  )

  assert.match(response, REFUSED)
  // The connection is answered before the handler has deleted what it had stored.
  await until('the upload is deleted', async () => {
    const { data } = await request('GET /admin/catalog-jobs', { token })
    return data.length === 0
  })
})

test('a body of 900 tiny chunks is read', async () => {
  const store = await buildStore()

  assert.match(await sendCart(store, 900), /^HTTP\/1\.1 200 /)
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

/** Begins a request with a body without an end, which is refused before the rest arrives. */
async function beginUnreadBody(start = `${head('POST /nowhere', {})}\r\n`) {
  const { port } = new URL(baseUrl)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  socket.write(start)
  const [response] = await once(socket, 'data')
  assert.match(response, /^HTTP\/1\.1 4/)
  return { socket, closed }
}

const PIECE = `400\r\n${'a'.repeat(1_024)}\r\n`
const END = '0\r\n\r\n'

test('a client may send a megabyte after the response, and use its connection again', async () => {
  const { socket } = await beginUnreadBody()

  socket.write(`${PIECE.repeat(1_000)}${END}`)
  socket.write(`${head('POST /nowhere', {})}\r\n${END}`)

  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 404/)
  socket.destroy()
})

test('a body that goes on for more than a megabyte after the response closes its connection', async () => {
  const { socket, closed } = await beginUnreadBody()

  socket.write(PIECE.repeat(1_100))

  await closed
})

test('a client may send for almost five seconds after the response, and use its connection again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { socket } = await beginUnreadBody()

  t.mock.timers.tick(4_999)
  socket.write(END)
  socket.write(`${head('POST /nowhere', {})}\r\n${END}`)

  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 404/)
  t.mock.timers.tick(10_000)
  socket.write(`${head('POST /nowhere', {})}\r\n${END}`)
  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 404/)
  socket.destroy()
})

test('a body whose reader has refused its start closes its connection a megabyte after the response', async () => {
  const store = await buildStore()
  const deep = '{"a":'.repeat(200)
  const headers = { 'X-Service-Key': store.key, 'Content-Type': 'application/json' }
  const { socket, closed } = await beginUnreadBody(
    `${head('POST /api/v1/cart/items', headers)}\r\n${deep.length.toString(16)}\r\n${deep}\r\n`,
  )

  socket.write(PIECE.repeat(1_100))

  await closed
})

test('a body that goes on for five seconds after the response closes its connection', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { closed } = await beginUnreadBody()

  t.mock.timers.tick(5_000)

  await closed
})

test('tiny chunks that nobody reads close their connection, and the service goes on', async () => {
  const store = await buildStore()

  await sendCart(store, 1_100, 'GET /health/live')

  const { status } = await request('GET /cart', { store })
  assert.equal(status, 200)
})
