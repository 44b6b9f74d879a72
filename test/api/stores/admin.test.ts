import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { rawRequest, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'

async function owned() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  return { store, owner, path: `/admin/stores/${store.id}` }
}

test('staff list and read their own store', async () => {
  const { store, owner, path } = await owned()
  await buildStore()

  const { data: listed } = await request('GET /admin/stores', { token: owner.token })
  const { data, headers } = await request(`GET ${path}`, { token: owner.token })
  const { data: settings } = await request('GET /admin/settings', { token: owner.token })

  const { id, status, updated_at, ...rest } = data
  assert.deepEqual([id, status], [store.id, 'active'])
  assert.ok(updated_at && headers.get('etag'))
  assert.deepEqual([listed, rest], [[data], settings])
})

test('a change of the store is a change of its settings', async () => {
  const { owner, path } = await owned()

  const body = { name: 'Harbour Goods', min_order_total: 12.5 }
  const { status, data } = await request(`PATCH ${path}`, { token: owner.token, body })
  const { data: settings } = await request('GET /admin/settings', { token: owner.token })
  const wrong = await request(`PATCH ${path}`, { token: owner.token, body: { default_language: 'fr' } })

  assert.deepEqual([status, data.name, data.min_order_total], [200, 'Harbour Goods', 12.5])
  assert.deepEqual([settings.name, settings.min_order_total], ['Harbour Goods', 12.5])
  assert.deepEqual(wrong.detail[0].loc, ['body', 'default_language'])
})

test('a change of what was read before someone else changed it is refused', async () => {
  const { owner, path } = await owned()
  const change = (where: string, name: string, etag: string | null) =>
    request(`PATCH ${where}`, { token: owner.token, body: { name }, headers: { 'If-Match': etag ?? '' } })

  const etag = (await request(`GET ${path}`, { token: owner.token })).headers.get('etag')
  const first = await change('/admin/settings', 'One', etag)
  const second = await change(path, 'Two', etag)
  const third = await change(path, 'Three', first.headers.get('etag'))

  assert.deepEqual([first.status, second.error_code, third.data.name], [200, 'resource.changed', 'Three'])
})

test('no other store is there, to read, change or delete', async () => {
  const { owner } = await owned()
  const other = await buildStore()

  for (const id of [other.id, newId()]) {
    const path = `/admin/stores/${id}`
    const answers = [
      await request(`GET ${path}`, { token: owner.token }),
      await request(`PATCH ${path}`, { token: owner.token, body: { name: 'Mine' } }),
      await request(`DELETE ${path}`, { token: owner.token }),
    ]
    for (const { status, error_code } of answers)
      assert.deepEqual([status, error_code], [404, 'resource.not_found'])
  }
  assert.equal((await request('GET /settings/store-info', { store: other })).status, 200)
})

test('the owner alone deletes the store', async () => {
  const { store, path } = await owned()
  const admin = await buildStaff(store, { role: 'administrator' })
  const clerk = await buildStaff(store, { role: 'sales' })
  const program = await buildApiToken(store, 'system:write')
  const remove = async (token: string) => (await request(`DELETE ${path}`, { token })).error_code

  assert.deepEqual(
    [await remove(admin.token), await remove(clerk.token), await remove(program.token)],
    ['user.owner_only', 'auth.forbidden', 'auth.api_token_forbidden'],
  )
  assert.equal((await request('GET /settings/store-info', { store })).status, 200)
})

/** Asks as a browser at a store's own domain does, and returns the error's code. */
async function askAt(domain: string, line: string, body?: object): Promise<string | null> {
  const [method, path] = line.split(' ')
  const text = body ? JSON.stringify(body) : ''
  const head = [`Host: ${domain}`, 'Content-Type: application/json', `Content-Length: ${text.length}`]
  const answer = await rawRequest(
    `${method} /api/v1${path} HTTP/1.1\r\n${(body ? head : head.slice(0, 1)).join('\r\n')}\r\n`,
    text,
  )
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).error_code
}

test('a store is found at its own domain: control of what its end is asked there', async () => {
  const { store } = await owned()
  const customer = await buildCustomer(store)

  assert.equal(await askAt(store.domain, 'GET /products'), null)
  const login = { email: customer.email, password: PASSWORD }
  assert.equal(await askAt(store.domain, 'POST /auth/login', login), null)
})

test('in a deleted store everything ends at once, and login and refresh say why', async () => {
  const { store, owner, path } = await owned()
  const customer = await buildCustomer(store)
  const program = await buildApiToken(store, 'catalog:read')
  const atDomain = (line: string, body?: object) => askAt(store.domain, line, body)

  const { status, data } = await request(`DELETE ${path}`, { token: owner.token })

  assert.deepEqual([status, data], [200, null])
  const code = async (line: string, asked: object) => (await request(line, asked)).error_code
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
  assert.equal(await code('GET /admin/products', { token: program.token }), 'auth.session_revoked')
  assert.equal(await code('GET /products', { store }), 'auth.publishable_key_invalid')
  assert.equal(await atDomain('GET /products'), 'auth.store_required')
  const open = await inStore(store.id, (tx) => tx.knex('sessions').whereNull('closed_at'))
  assert.deepEqual(open, [])
})

test('no other store is touched by a deletion', async () => {
  const { owner, path } = await owned()
  const other = await owned()
  const customer = await buildCustomer(other.store)

  await request(`DELETE ${path}`, { token: owner.token })

  const answers = [
    await request('GET /admin/stores', { token: other.owner.token }),
    await request('GET /auth/me', { store: other.store, token: customer.token }),
    await request('GET /settings/store-info', { store: other.store }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
})
