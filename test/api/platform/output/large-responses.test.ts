import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { log } from '#shared/platform/log.ts'
import { baseUrl, request } from '#test/support/app.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildLargeProducts } from '#test/support/build-large-products.ts'

const COUNT = 30
const MIB = 1024 * 1024

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

test('a page of too many bytes is 422 response.too_large, and smaller pages hold every row once', async (t) => {
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
  assert.deepEqual([errors.mock.callCount(), warnings.mock.callCount()], [0, 0])
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
