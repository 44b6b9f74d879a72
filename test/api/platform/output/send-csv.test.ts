import '#test/support/database.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { createApp } from '#api/app.ts'
import { open, staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CsvText } from '#shared/platform/http/schema.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { until } from '#test/support/races/until.ts'

let batchesRead = 0
let isClosed = false

async function* endlessRows() {
  try {
    for (;;) {
      batchesRead += 1
      yield Array.from({ length: 200 }, () => 'x'.repeat(500))
    }
  } finally {
    isClosed = true
  }
}

async function* failingRows() {
  yield ['first']
  throw new Error('The database is gone')
}

const fileOf = (rows: AsyncIterable<string[]> | string[][]) =>
  CsvFile.of({ name: 'rows', columns: [{ name: 'text', value: (row: string) => row }], rows, totalRows: 2 })

const list = (path: string, rows: () => AsyncIterable<string[]> | string[][], access: typeof open = open) =>
  endpoint({
    method: 'get',
    path,
    access,
    limits: [],
    summary: 'List rows',
    returns: [200, Type.Array(Type.String())],
    example: { data: [] },
    handle: async () => ['json'],
    csv: async () => fileOf(rows()),
  })

const operations = [
  list('/rows', () => [['=1+1'], ['b']]),
  list('/failing', failingRows),
  list('/endless', endlessRows),
  list('/admin/endless', endlessRows, staff('customers:read') as never),
  endpoint({
    method: 'get',
    path: '/export',
    access: open,
    limits: [],
    summary: 'Export rows',
    returns: [200, CsvText],
    example: { data: '' },
    handle: async () => fileOf([['a'], ['b']]),
  }),
]

let server: Server
let port: number

before(async () => {
  server = createHttpServer(createApp(operations).callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const get = (path: string, accept = 'text/csv', method = 'GET') =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, { method, headers: { Accept: accept } })

test('a list is CSV for a client that prefers it, with the number of rows', async () => {
  const response = await get('/rows')

  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="rows.csv"')
  assert.equal(response.headers.get('x-total-rows'), '2')
  assert.equal(await response.text(), "text\n'=1+1\nb\n")
})

for (const accept of ['*/*', 'application/json', 'text/csv;q=0.5, application/json', 'text/html'])
  test(`a list is JSON for Accept: ${accept}`, async () => {
    assert.deepEqual(((await (await get('/rows', accept)).json()) as { data: unknown }).data, ['json'])
  })

test('an export is CSV for every client', async () => {
  assert.equal(await (await get('/export', 'application/json')).text(), 'text\na\nb\n')
})

test('HEAD has the headers of the file alone', async () => {
  const response = await get('/rows', 'text/csv', 'HEAD')

  assert.equal(response.headers.get('x-total-rows'), '2')
  assert.equal(await response.text(), '')
})

test('a file whose rows cannot be read ends with a broken connection', async () => {
  const response = await get('/failing')

  assert.equal(response.status, 200)
  await assert.rejects(response.text())
})

test('the connection of a client that stops reading is closed, and no more rows are read', async (t) => {
  process.env.DOWNLOAD_STALL_MS = '200'
  resetConfig()
  t.after(() => {
    delete process.env.DOWNLOAD_STALL_MS
    resetConfig()
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n')
  await once(socket, 'readable')

  await until('the connection is closed', async () => isClosed)
  const readUntilClosed = batchesRead
  socket.resume()
  await text(socket).catch(() => {})

  assert.equal(batchesRead, readUntilClosed)
  assert.ok(batchesRead < 500, `${batchesRead} batches were read ahead`)
})

test('a third file at the same time returns 429, and is sent when another has ended', async () => {
  const sockets = [0, 1].map(() => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n')
    // It reads nothing: else both files would be sent without end.
    await once(socket, 'readable')
  }

  const third = await get('/rows')
  sockets[0]?.destroy()
  await until('a file has ended', async () => (await get('/rows')).status === 200)

  assert.equal(third.status, 429)
  assert.equal(third.headers.get('retry-after'), '10')
  sockets[1]?.destroy()
})

test('a download continues while its caller has access, and ends when the session is closed', async () => {
  const store = await buildStore()
  const { id, token } = await buildStaff(store, { role: 'support' })
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/admin/endless`, {
    headers: { Accept: 'text/csv', Authorization: `Bearer ${token}` },
  })
  const pieces = response.body?.getReader()
  const readMany = async () => {
    for (let n = 0; n < 1_000; n++) await pieces?.read()
  }

  moveClock(5_000)
  await readMany()
  await inStore(store.id, (tx) => closeSessionsOfAccount(tx, { type: 'staff', id }, 'revoked'))
  moveClock(10_000)

  assert.equal(response.status, 200)
  await assert.rejects(readMany())
})
