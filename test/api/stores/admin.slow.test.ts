import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'

async function buildOwnedStore() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  return { store, owner, path: `/admin/stores/${store.id}` }
}

test('staff list and read only their own store', async () => {
  const { store, owner, path } = await buildOwnedStore()
  await buildStore()

  const { data: listed } = await request('GET /admin/stores', { token: owner.token })
  const { data, headers } = await request(`GET ${path}`, { token: owner.token })
  const { data: settings } = await request('GET /admin/settings', { token: owner.token })

  const { id, status, updated_at, ...rest } = data
  assert.equal(id, store.id)
  assert.equal(status, 'active')
  assert.ok(updated_at)
  assert.ok(headers.get('etag'))
  assert.deepEqual(rest, settings)
  assert.deepEqual(listed, [data])
})

test('changing the store changes its settings', async () => {
  const { owner, path } = await buildOwnedStore()

  const body = { name: 'Harbour Goods', min_order_total: 12.5 }
  const { status, data } = await request(`PATCH ${path}`, { token: owner.token, body })
  const { data: settings } = await request('GET /admin/settings', { token: owner.token })
  const wrong = await request(`PATCH ${path}`, { token: owner.token, body: { default_language: 'fr' } })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, body)
  assert.partialDeepStrictEqual(settings, body)
  assert.deepEqual(wrong.detail[0].loc, ['body', 'default_language'])
})

test('a change with an outdated If-Match returns 412 resource.changed', async () => {
  const { owner, path } = await buildOwnedStore()
  const change = (where: string, name: string, etag: string | null) =>
    request(`PATCH ${where}`, { token: owner.token, body: { name }, headers: { 'If-Match': etag ?? '' } })

  const etag = (await request(`GET ${path}`, { token: owner.token })).headers.get('etag')
  const first = await change('/admin/settings', 'One', etag)
  const second = await change(path, 'Two', etag)
  const stale = await change('/admin/settings', 'Two', etag)
  const third = await change(path, 'Three', first.headers.get('etag'))

  assert.equal(first.status, 200)
  const CHANGED = { status: 412, error_code: 'resource.changed' }
  assert.partialDeepStrictEqual([second, stale], [CHANGED, CHANGED])
  assert.equal(third.data.name, 'Three')
})

test('reading, changing or deleting another store returns 404', async () => {
  const { owner } = await buildOwnedStore()
  const other = await buildStore()

  for (const id of [other.id, newId()]) {
    const path = `/admin/stores/${id}`
    const responses = [
      await request(`GET ${path}`, { token: owner.token }),
      await request(`PATCH ${path}`, { token: owner.token, body: { name: 'Mine' } }),
      await request(`DELETE ${path}`, { token: owner.token }),
    ]
    for (const response of responses)
      assert.partialDeepStrictEqual(response, { status: 404, error_code: 'resource.not_found' })
  }
  assert.equal((await request('GET /settings/store-info', { store: other })).status, 200)
})

test('only the owner can delete the store', async () => {
  const { store, path } = await buildOwnedStore()
  const admin = await buildStaff(store, { role: 'administrator' })
  const clerk = await buildStaff(store, { role: 'sales' })
  const apiToken = await buildApiToken(store, 'system:write')
  const remove = async (token: string) => (await request(`DELETE ${path}`, { token })).error_code

  assert.equal(await remove(admin.token), 'user.owner_only')
  assert.equal(await remove(clerk.token), 'auth.forbidden')
  assert.equal(await remove(apiToken.token), 'auth.api_token_forbidden')
  assert.equal((await request('GET /settings/store-info', { store })).status, 200)
})

/** Sends a request as a browser does at a store's domain and returns the error code. */
async function requestAt(domain: string, line: string, body?: object): Promise<string | null> {
  const [method, path] = line.split(' ')
  const text = body ? JSON.stringify(body) : ''
  const head = [`Host: ${domain}`, 'Content-Type: application/json', `Content-Length: ${text.length}`]
  const response = await rawRequest(
    `${method} /api/v1${path} HTTP/1.1\r\n${(body ? head : head.slice(0, 1)).join('\r\n')}\r\n`,
    text,
  )
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).error_code
}

test('control: requests to the domain of an open store succeed', async () => {
  const { store } = await buildOwnedStore()
  const customer = await buildCustomer(store)

  assert.equal(await requestAt(store.domain, 'GET /products'), null)
  const login = { email: customer.email, password: PASSWORD }
  assert.equal(await requestAt(store.domain, 'POST /auth/login', login), null)
})

test('deleting a store revokes all access immediately; login and refresh return auth.tenant_unavailable', async () => {
  const { store, owner, path } = await buildOwnedStore()
  const customer = await buildCustomer(store)
  const apiToken = await buildApiToken(store, 'catalog:read')
  const atDomain = (line: string, body?: object) => requestAt(store.domain, line, body)

  const { status, data } = await request(`DELETE ${path}`, { token: owner.token })

  assert.equal(status, 200)
  assert.equal(data, null)
  const code = async (line: string, options: object) => (await request(line, options)).error_code
  const login = { email: customer.email, password: PASSWORD }
  const staffLogin = { email: owner.email, password: PASSWORD }
  const unavailable = [
    await code('POST /auth/login', { store, body: login }),
    await code('POST /auth/login', { body: staffLogin }),
    await code('POST /auth/refresh', { body: { refresh_token: owner.refreshToken } }),
    await code('POST /auth/refresh', { store, body: { refresh_token: customer.refreshToken } }),
    await code('POST /auth/refresh', { body: { refresh_token: customer.refreshToken } }),
    await atDomain('POST /auth/login', login),
    await atDomain('POST /auth/login', { ...staffLogin, account: 'staff' }),
    await atDomain('POST /auth/refresh', { refresh_token: customer.refreshToken }),
    await atDomain('POST /auth/refresh', { refresh_token: owner.refreshToken }),
  ]
  assert.deepEqual(unavailable, Array(9).fill('auth.tenant_unavailable'))
  assert.equal(await code('GET /admin/orders', { token: owner.token }), 'auth.session_revoked')
  assert.equal(await code('GET /admin/products', { token: apiToken.token }), 'auth.session_revoked')
  assert.equal(await code('GET /products', { store }), 'auth.publishable_key_invalid')
  assert.equal(await atDomain('GET /products'), 'auth.store_required')
  const open = await inStore(store.id, (tx) => tx.knex('sessions').whereNull('closed_at'))
  assert.deepEqual(open, [])
})

test('deleting a store leaves other stores open', async () => {
  const { owner, path } = await buildOwnedStore()
  const other = await buildOwnedStore()
  const customer = await buildCustomer(other.store)

  await request(`DELETE ${path}`, { token: owner.token })

  const responses = [
    await request('GET /admin/stores', { token: other.owner.token }),
    await request('GET /auth/me', { store: other.store, token: customer.token }),
    await request('GET /settings/store-info', { store: other.store }),
  ]
  for (const { status } of responses) assert.equal(status, 200)
})
