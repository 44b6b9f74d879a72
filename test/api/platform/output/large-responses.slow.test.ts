import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { log } from '#shared/platform/log.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildLargeProducts } from '#test/support/builders/large-products.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

const COUNT = 30
const MIB = 1024 * 1024
/** Five such reads leave a store less than a page of six products. The first MiB of a read is not counted. */
const HELD = 4_180_000

let store: BuiltStore
let token: string
let ids: string[]

before(async () => {
  store = await buildStore()
  ;({ token } = await buildStaff(store, { role: 'owner' }))
  // About 450 KB each.
  ids = await buildLargeProducts(store, { count: COUNT, characters: 25_000 })
})

const list = (pageSize: number, page = 1, by = token) =>
  request(`GET /admin/products?page_size=${pageSize}&page=${page}`, { token: by })

test('a page of too many bytes returns 422 response.too_large; smaller pages have every row once', async (t) => {
  const errors = t.mock.method(log, 'error')
  const warnings = t.mock.method(log, 'warn')

  const large = await list(100)
  const pages = []
  for (let page = 1; page <= COUNT / 6; page++) pages.push(await list(6, page))

  assert.partialDeepStrictEqual(large, { status: 422, error_code: 'response.too_large', data: null })
  assert.match(large.error ?? '', /smaller page_size/)
  for (const { status, meta } of pages)
    assert.partialDeepStrictEqual(
      { status, meta },
      { status: 200, meta: { total: COUNT, total_pages: COUNT / 6 } },
    )
  const listed = pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))
  assert.deepEqual(listed.toSorted(), ids.toSorted())
  const logged = { errors: errors.mock.callCount(), warnings: warnings.mock.callCount() }
  assert.deepEqual(logged, { errors: 0, warnings: 0 })
})

test('a page of too many bytes leaves the pool with working connections', async () => {
  await Promise.all(Array.from({ length: 8 }, () => list(100)))

  const small = await Promise.all(Array.from({ length: 8 }, () => list(1)))

  assert.deepEqual(
    small.map(({ status }) => status),
    small.map(() => 200),
  )
  assert.equal(poolOf(db()).numUsed(), 0)
})

test('an export whose rows exceed the size of a response contains every row', async () => {
  const response = await fetch(`${baseUrl}/api/v1/admin/products/export?format=own`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()

  assert.equal(response.headers.get('X-Total-Rows'), String(COUNT))
  assert.equal(text.match(/\r?\n/g)?.length, COUNT + 1)
  assert.ok(text.length > COUNT * 0.4 * MIB)
})

/** Reads `bytes` bytes for a client, and holds them until the returned function is called. */
async function holdRead(bytes: number): Promise<() => Promise<void>> {
  const read = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const client = new WaitingClient()
  client.storeId = store.id
  const done = runForClient(client, () =>
    inStore(store.id, async ({ knex }) => {
      await knex.raw("select repeat('x', ?)", [bytes])
      read.resolve()
      await released.promise
    }),
  )
  await Promise.race([read.promise, done])
  return async () => {
    released.resolve()
    await done
  }
}

test('while large reads of a store use their 16 MiB, its next one returns 429, and other stores can read', async () => {
  const other = await buildStore()
  await buildLargeProducts(other, { count: 6, characters: 25_000 })
  const { token: otherToken } = await buildStaff(other, { role: 'owner' })
  const releases = []
  for (let n = 0; n < 4; n++) releases.push(await holdRead(HELD))
  const fitting = await list(6)
  releases.push(await holdRead(HELD))

  const refused = await list(6)
  const small = await list(1)
  const elsewhere = await list(6, 1, otherToken)
  for (const release of releases) await release()
  const after = await list(6)

  assert.partialDeepStrictEqual(refused, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.equal(refused.headers.get('Retry-After'), '1')
  for (const { status } of [fitting, small, elsewhere, after]) assert.equal(status, 200)
})

/** Asks for a page three times, and reads no answer: what exceeds the connection's buffers waits in the process. */
function askWithoutReading(): () => void {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  const ask =
    'GET /api/v1/admin/products?page_size=6 HTTP/1.1\r\nHost: localhost\r\n' +
    `Authorization: Bearer ${token}\r\n\r\n`
  socket.write(ask.repeat(3))
  return () => socket.destroy()
}

test('unread responses fill the share of their store; its reads return 429 until these end', async (t) => {
  const printed = t.mock.method(console, 'error')
  const other = await buildStore()
  await buildLargeProducts(other, { count: 6, characters: 25_000 })
  const { token: otherToken } = await buildStaff(other, { role: 'owner' })
  const sockets: (() => void)[] = []
  let asked = await list(6)
  for (let n = 0; n < 100 && asked.status === 200; n++) {
    sockets.push(askWithoutReading())
    asked = await list(6)
  }

  const small = await list(1)
  const elsewhere = await list(6, 1, otherToken)
  for (const close of sockets) close()
  await until('the responses have ended', async () => (await list(6)).status === 200)

  assert.equal(printed.mock.callCount(), 0)
  assert.partialDeepStrictEqual(asked, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.deepEqual({ small: small.status, elsewhere: elsewhere.status }, { small: 200, elsewhere: 200 })
})
