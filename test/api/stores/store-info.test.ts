import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'

test('a storefront reads its store by publishable key', async () => {
  const store = await buildStore({ minOrderTotalMinor: 1_000n })

  const { status, data } = await request('GET /settings/store-info', { store })

  assert.equal(status, 200)
  assert.equal(data.slug, store.slug)
  assert.equal(data.min_order_total, 10)
})

test('a storefront reads its store by its own domain', async () => {
  const store = await buildStore()

  const answer = await rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${store.domain}\r\n`)

  assert.match(answer, /^HTTP\/1.1 200/)
  assert.match(answer, new RegExp(`"slug":"${store.slug}"`))
})

test('an ambiguous Host returns 400 request.malformed: a cache may read it differently', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  for (const host of [
    `${store.domain},${other.domain}`,
    `somebody@${store.domain}`,
    `${store.domain}:port`,
    `${store.domain}/`,
    `${store.domain} ${other.domain}`,
  ])
    assert.match(
      await rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${host}\r\n`),
      /^HTTP\/1\.1 400 .*"error_code":"request\.malformed"/s,
      host,
    )
})

test('two Host headers return 400', async () => {
  const store = await buildStore()

  const answer = await rawRequest(
    `GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${store.domain}\r\nHost: other.example\r\n`,
  )

  assert.match(answer, /^HTTP\/1.1 400/)
})

test('a request without a store returns 401 auth.store_required', async () => {
  const { status, error_code } = await request('GET /settings/store-info')

  assert.equal(status, 401)
  assert.equal(error_code, 'auth.store_required')
})

test('without a trusted proxy X-Forwarded-Host is ignored', async () => {
  const store = await buildStore()

  const answer = await rawRequest(
    `GET /api/v1/settings/store-info HTTP/1.1\r\nHost: nobody.example\r\nX-Forwarded-Host: ${store.domain}\r\n`,
  )

  assert.match(answer, /^HTTP\/1.1 401.*auth\.store_required/s)
})
