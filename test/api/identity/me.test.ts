import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { stopClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

test('a customer reads their own profile', async () => {
  const store = await buildStore()
  const { id, email, token } = await buildCustomer(store, { firstname: 'Ada', telephone: '+49 30 901820' })

  const { data } = await request('GET /auth/me', { store, token })

  const { created_at, updated_at, ...rest } = data
  assert.deepEqual(rest, {
    account: 'customer',
    id,
    email,
    firstname: 'Ada',
    lastname: 'Byron',
    telephone: '+49 30 901820',
    accepts_marketing: false,
    language: '',
    verified_at: null,
    is_active: true,
    is_owner: false,
    two_factor_enabled: false,
    recovery_codes_remaining: 0,
  })
  assert.equal(created_at, updated_at)
})

test('staff read their role and its permissions', async () => {
  const store = await buildStore()
  const [owner, analyst] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'analyst' }),
  ]

  const asOwner = await request('GET /auth/me', { token: owner.token })
  const asAnalyst = await request('GET /auth/me', { token: analyst.token })

  assert.partialDeepStrictEqual(asOwner.data, { account: 'staff', is_owner: true })
  assert.ok(asOwner.data.permissions.includes('refund'))
  assert.partialDeepStrictEqual(asAnalyst.data, { role: 'analyst', is_owner: false })
  assert.equal(asAnalyst.data.recovery_codes_remaining, 0)
  assert.deepEqual(asAnalyst.data.permissions, [
    'catalog:read',
    'sales:read',
    'customers:read',
    'marketing:read',
    'reports:read',
  ])
})

test('a 401 response has a WWW-Authenticate header', async () => {
  const store = await buildStore()
  const challenge = async (line: string, asked: object) =>
    (await request(line, { store, ...asked })).headers.get('WWW-Authenticate')

  assert.equal(await challenge('GET /auth/me', {}), 'Bearer')
  assert.equal(await challenge('GET /auth/me', { token: 'not.a.token' }), 'Bearer error="invalid_token"')
  const body = { email: 'nobody@example.test', password: 'staple by staple' }
  assert.equal(await challenge('POST /auth/login', { body }), 'Bearer')
  const { token } = await buildCustomer(store)
  assert.equal(await challenge('GET /auth/me', { token }), null)
})

test("staff need no store key; another store's key returns 401", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { token } = await buildStaff(store, { role: 'analyst' })
  const me = async (asked: object) => (await request('GET /auth/me', { token, ...asked })).error_code

  assert.equal(await me({}), null)
  assert.equal(await me({ store }), null)
  assert.equal(await me({ store: other }), 'auth.not_authenticated')
  assert.equal(await me({ store: { key: 'cx_pk_live_slip' } }), 'auth.publishable_key_invalid')
})

test('staff with a custom role read its permissions', async () => {
  const store = await buildStore()
  await buildRole(store, { name: 'warehouse', rights: ['sales:read', 'refund'] })
  const { token } = await buildStaff(store, { role: 'warehouse' })

  const { data } = await request('GET /auth/me', { token })
  const renamed = await request('PATCH /auth/me', { token, body: { firstname: 'Mary' } })

  assert.deepEqual(
    { role: data.role, permissions: data.permissions },
    { role: 'warehouse', permissions: ['sales:read', 'refund'] },
  )
  assert.deepEqual(renamed.data.permissions, data.permissions)
})

test('a partial change keeps the other fields and records an event', async () => {
  const store = await buildStore()
  const { id, token } = await buildCustomer(store, { telephone: '+49 30 901820' })

  const body = { lastname: 'Lovelace', accepts_marketing: true }
  const { status, data } = await request('PATCH /auth/me', { store, token, body })
  const cleared = await request('PATCH /auth/me', { store, token, body: { telephone: null } })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, {
    firstname: 'Ada',
    lastname: 'Lovelace',
    accepts_marketing: true,
    telephone: '+49 30 901820',
  })
  assert.partialDeepStrictEqual(cleared.data, { lastname: 'Lovelace', telephone: '' })
  const events = await inStore(store.id, (tx) => tx.knex('events').orderBy('id').select('type', 'data'))
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, id: data.id, telephone: data.telephone })),
    [
      { type: 'customer.updated', id, telephone: '+49 30 901820' },
      { type: 'customer.updated', id, telephone: '' },
    ],
  )
})

test('a customer sets a language of the store; another language returns 422', async () => {
  const store = await buildStore({ languages: ['en', 'de'] })
  const { token } = await buildCustomer(store)
  const choose = (language: string) => request('PATCH /auth/me', { store, token, body: { language } })

  assert.equal((await choose('de')).data.language, 'de')
  const { status, detail } = await choose('fr')
  assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['body', 'language'] })
})

test('a change leaves other customers unchanged', async () => {
  const store = await buildStore()
  const [mine, other] = [await buildCustomer(store), await buildCustomer(store)]

  await request('PATCH /auth/me', { store, token: mine.token, body: { firstname: 'Mary' } })

  assert.equal((await request('GET /auth/me', { store, token: other.token })).data.firstname, 'Ada')
})

test('staff change their name', async () => {
  const { token } = await buildStaff(await buildStore(), { role: 'support' })

  const { data } = await request('PATCH /auth/me', { token, body: { firstname: 'Jean' } })

  assert.partialDeepStrictEqual(data, { firstname: 'Jean', lastname: 'Hopper', role: 'support' })
})

test('a changed name changes the ETag of the staff member', async () => {
  stopClock()
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const member = await buildStaff(store, { role: 'support' })
  const path = `/admin/users/${member.id}`

  const etag = (await request(`GET ${path}`, { token })).headers.get('etag') ?? ''
  await request('PATCH /auth/me', { token: member.token, body: { firstname: 'Jean' } })
  const late = await request(`PATCH ${path}`, {
    token,
    body: { firstname: 'Mary' },
    headers: { 'If-Match': etag },
  })

  assert.partialDeepStrictEqual(late, { status: 412, error_code: 'resource.changed' })
})

const faults = (detail: { loc: string[]; type: string }[]) =>
  detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`).sort()

test('a telephone or marketing field of staff returns 422', async () => {
  const { token } = await buildStaff(await buildStore(), { role: 'support' })

  const body = { firstname: 'Jean', telephone: null, accepts_marketing: true }
  const { status, detail } = await request('PATCH /auth/me', { token, body })

  assert.equal(status, 422)
  assert.deepEqual(faults(detail), [
    'body.accepts_marketing: extra_forbidden',
    'body.telephone: extra_forbidden',
  ])
  assert.equal((await request('GET /auth/me', { token })).data.firstname, 'Grace')
})

test('a field outside the profile returns 422', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'support' })
  const body = { role: 'owner', is_owner: true, is_active: true, email: 'a@b.example', id: member.id }
  const refused = Object.keys(body)
    .map((name) => `body.${name}: extra_forbidden`)
    .sort()

  for (const asked of [{ store, token: customer.token }, { token: member.token }]) {
    const { status, detail } = await request('PATCH /auth/me', { ...asked, body })
    assert.equal(status, 422)
    assert.deepEqual(faults(detail), refused)
  }
})

test('an empty or invalid change returns 422', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)

  for (const body of [{}, { firstname: '' }, { firstname: null }, { lastname: 'x'.repeat(101) }, [], 'null'])
    assert.equal((await request('PATCH /auth/me', { store, token, body })).status, 422)
})

test('a request repeated with one Idempotency-Key is executed once', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const change = () => request('PATCH /auth/me', { store, token, key: 'k-1', body: { firstname: 'Mary' } })

  const [first, second] = [await change(), await change()]

  assert.deepEqual(first.data, second.data)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
})

test("a deleted store closes staff sessions; a customer's token requires a store", async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'owner' })

  const withoutStore = await request('GET /auth/me', { token: customer.token })
  await db()('stores').where('id', store.id).update({ status: 'deleted' })
  const asStaff = await request('GET /auth/me', { token: member.token })
  const asCustomer = await request('GET /auth/me', { store, token: customer.token })

  assert.partialDeepStrictEqual(withoutStore, { status: 401, error_code: 'auth.store_required' })
  assert.partialDeepStrictEqual(asStaff, { status: 401, error_code: 'auth.session_revoked' })
  assert.partialDeepStrictEqual(asCustomer, { status: 401, error_code: 'auth.publishable_key_invalid' })
})
