import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { OPENS_CUSTOMER_ACCOUNTS, type Right } from '#shared/staff/rights.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const draft = (given: object = {}) => ({
  code: `provider-${nextNumber()}`,
  name: 'Acme',
  issuer: 'https://login.acme.example',
  client_id: 'harbor',
  client_secret: 'a secret of the provider',
  redirect_urls: ['https://shop.example/signed-in'],
  ...given,
})

const create = (token: string, given: object = {}) =>
  request('POST /admin/identity-providers', { token, body: draft(given) })

async function buildAdmin(role = 'administrator'): Promise<{ store: BuiltStore; token: string }> {
  const store = await buildStore()
  return { store, token: (await buildStaff(store, { role })).token }
}

test('staff create, read, list, update and delete a provider', async () => {
  const { token } = await buildAdmin()

  const { status, data: created } = await create(token, { code: 'acme' })
  const path = `/admin/identity-providers/${created.id}`
  const { data: read, headers } = await request(`GET ${path}`, { token })
  const { data: listed } = await request('GET /admin/identity-providers', { token })
  const ifMatch = { 'If-Match': headers.get('etag') ?? '' }
  const body = { name: 'Other', client_secret: null, is_active: false }
  const { data: changed } = await request(`PATCH ${path}`, { token, headers: ifMatch, body })
  const { error_code: stale } = await request(`PATCH ${path}`, { token, headers: ifMatch, body })
  const { status: deleted } = await request(`DELETE ${path}`, { token })
  const { status: gone } = await request(`GET ${path}`, { token })

  assert.equal(status, 201)
  assert.deepEqual(read, created)
  assert.deepEqual(listed, [created])
  assert.deepEqual(created.scopes, ['email', 'profile'])
  assert.equal(created.audience, 'customers')
  assert.ok(created.callback_url.endsWith(`/api/v1/auth/oauth/${created.id}/callback`))
  assert.partialDeepStrictEqual(changed, { name: 'Other', has_client_secret: false, is_active: false })
  assert.equal(stale, 'resource.changed')
  assert.deepEqual({ deleted, gone }, { deleted: 200, gone: 404 })
})

const SYSTEM: readonly Right[] = ['system:read', 'system:write']
for (const missing of OPENS_CUSTOMER_ACCOUNTS)
  test(`staff without ${missing} cannot create, change or delete a provider for customers`, async () => {
    const { store, token: admin } = await buildAdmin()
    const rights = OPENS_CUSTOMER_ACCOUNTS.filter((right) => right !== missing)
    await buildRole(store, { name: 'technician', rights: [...SYSTEM, ...rights] })
    const { token } = await buildStaff(store, { role: 'technician' })
    const path = `/admin/identity-providers/${(await create(admin)).data.id}`

    const answers = [
      await create(token),
      await request(`PATCH ${path}`, { token, body: { redirect_urls: ['https://evil.example/'] } }),
      await request(`DELETE ${path}`, { token }),
    ]

    assert.deepEqual(
      answers.map(({ error_code }) => error_code),
      ['auth.forbidden', 'auth.forbidden', 'auth.forbidden'],
    )
  })

test('staff who may change customers and read orders manage a provider for customers', async () => {
  const { store } = await buildAdmin()
  await buildRole(store, { name: 'technician', rights: [...SYSTEM, ...OPENS_CUSTOMER_ACCOUNTS] })
  const { token } = await buildStaff(store, { role: 'technician' })

  const { status, data } = await create(token)
  const path = `/admin/identity-providers/${data.id}`
  const changed = await request(`PATCH ${path}`, { token, body: { name: 'Other' } })
  const deleted = await request(`DELETE ${path}`, { token })

  assert.deepEqual(
    { created: status, changed: changed.status, deleted: deleted.status },
    { created: 201, changed: 200, deleted: 200 },
  )
})

test('neither answers nor the audit log contain the client secret', async () => {
  const { store, token } = await buildAdmin()

  const { data } = await create(token)

  const { token: owner } = await buildStaff(store, { role: 'owner' })
  const { data: entries } = await request('GET /admin/audit-log', { token: owner })
  assert.equal(data.has_client_secret, true)
  assert.equal(entries[0].resource.id, data.id)
  assert.ok(!JSON.stringify([data, entries]).includes('a secret of the provider'))
})

test('a code used twice in one store returns identity_provider.code_taken', async () => {
  const [{ token }, { token: elsewhere }] = [await buildAdmin(), await buildAdmin()]
  await create(token, { code: 'acme' })

  assert.equal((await create(token, { code: 'acme' })).error_code, 'identity_provider.code_taken')
  assert.equal((await create(elsewhere, { code: 'acme' })).status, 201)
})

const INVALID_ISSUERS = [
  'http://login.acme.example',
  'https://10.0.0.1',
  'https://169.254.169.254',
  'https://login.internal',
  'https://user@login.acme.example',
  'https://login.acme.example:9000',
  'https://login.acme.example?tenant=1',
  'https://login.acme.example#x',
  'ftp://login.acme.example',
  'acme',
]
test('an issuer that is not a public https address returns identity_provider.issuer_invalid', async () => {
  const { token } = await buildAdmin()
  for (const issuer of INVALID_ISSUERS)
    assert.equal((await create(token, { issuer })).error_code, 'identity_provider.issuer_invalid', issuer)
})

const REDIRECTS = [
  'https://shop.example/a?b=c',
  'com.example.app:/signed-in',
  'http://localhost:5173/signed-in',
]
const INVALID_REDIRECTS = [
  'http://shop.example/',
  'https://shop.example/#x',
  'https://user@shop.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'myapp:/signed-in',
  '/signed-in',
]
test('a redirect URL is https, an app scheme or http on localhost; others return identity_provider.redirect_url_invalid', async () => {
  const { token } = await buildAdmin()

  const { status, data } = await create(token, { redirect_urls: REDIRECTS })
  assert.equal(status, 201)
  for (const url of INVALID_REDIRECTS) {
    const body = { redirect_urls: [url] }
    const created = await create(token, body)
    const changed = await request(`PATCH /admin/identity-providers/${data.id}`, { token, body })
    for (const { error_code } of [created, changed])
      assert.equal(error_code, 'identity_provider.redirect_url_invalid', url)
  }
})

test('only the owner manages providers for staff; an administrator gets user.owner_only', async () => {
  const { store, token } = await buildAdmin()
  const { token: owner } = await buildStaff(store, { role: 'owner' })

  const { error_code } = await create(token, { audience: 'staff' })
  const { status, data } = await create(owner, { audience: 'staff' })
  const path = `/admin/identity-providers/${data.id}`
  const changed = await request(`PATCH ${path}`, { token, body: { client_id: 'mine' } })
  const deleted = await request(`DELETE ${path}`, { token })

  assert.equal(error_code, 'user.owner_only')
  assert.equal(status, 201)
  assert.equal(changed.error_code, 'user.owner_only')
  assert.equal(deleted.error_code, 'user.owner_only')
})

const OWNER_REQUESTS: Record<string, (token: string, path: string) => Promise<ApiResponse>> = {
  register: (token) => create(token, { audience: 'staff' }),
  change: (token, path) => request(`PATCH ${path}`, { token, body: { client_id: 'mine' } }),
  delete: (token, path) => request(`DELETE ${path}`, { token }),
}

for (const [operation, send] of Object.entries(OWNER_REQUESTS))
  test(`${operation}: an owner who loses ownership during the request gets user.owner_only`, async () => {
    const { store } = await buildAdmin()
    const { id, token } = await buildStaff(store, { role: 'owner' })
    const { data } = await create(token, { audience: 'staff' })
    const demotion = await pending(
      (work) => inStore(store.id, work),
      async (tx) => {
        await lockRoster(tx)
        await tx.knex('staff_members').where({ store_id: store.id, id }).update({ is_owner: false })
      },
    )

    const answer = send(token, `/admin/identity-providers/${data.id}`)
    await untilOneWaits()
    demotion.commit()
    await demotion.done

    assert.equal((await answer).error_code, 'user.owner_only')
  })

test('a change of issuer, audience or code returns validation.failed', async () => {
  const { token } = await buildAdmin()
  const { data } = await create(token)

  for (const body of [{ issuer: 'https://evil.example' }, { audience: 'staff' }, { code: 'other' }])
    assert.equal(
      (await request(`PATCH /admin/identity-providers/${data.id}`, { token, body })).error_code,
      'validation.failed',
    )
})

test('managing providers requires the system right; an API token only reads', async () => {
  const { token: sales } = await buildAdmin('sales')
  const { store } = await buildAdmin()
  const { token: apiToken } = await buildApiToken(store, 'system:read', 'system:write')

  assert.equal((await create(sales)).error_code, 'auth.forbidden')
  assert.equal((await create(apiToken)).error_code, 'auth.api_token_forbidden')
  assert.equal((await request('GET /admin/identity-providers', { token: apiToken })).status, 200)
})

test("reading, changing or deleting another store's provider returns 404", async () => {
  const { token: theirs } = await buildAdmin()
  const { token } = await buildAdmin()
  const { data } = await create(theirs)
  const path = `/admin/identity-providers/${data.id}`

  assert.equal((await request(`GET ${path}`, { token })).status, 404)
  assert.equal((await request(`PATCH ${path}`, { token, body: { name: 'x' } })).status, 404)
  assert.equal((await request(`DELETE ${path}`, { token })).status, 404)
})

test('the 21st provider of a store returns identity_provider.limit_reached', async () => {
  const { token } = await buildAdmin()
  for (let n = 0; n < 20; n++) assert.equal((await create(token)).status, 201)

  assert.equal((await create(token)).error_code, 'identity_provider.limit_reached')
})
