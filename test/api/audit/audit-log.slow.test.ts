import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueLink } from '#shared/identity/links/link.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Right } from '#shared/staff/rights.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { verify } from '#test/support/builders/audit.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { codeOf } from '#test/support/builders/two-factor.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

const hook = { url: 'http://127.0.0.1:9/hook', events: ['order.*'] }

const provider = (client_secret: string) => ({
  code: 'company',
  name: 'Company',
  issuer: 'https://accounts.example.com',
  client_id: 'shop',
  client_secret,
  redirect_urls: ['https://shop.example.com/back'],
})

async function setUp() {
  const store = await buildStore()
  const admin = await buildStaff(store, { role: 'administrator' })
  const call = (line: string, body?: unknown, more: object = {}) =>
    request(line, { token: admin.token, ...(body === undefined ? {} : { body }), ...more })
  const entries = async (query = '') => (await call(`GET /admin/audit-log${query}`)).data
  return { store, admin, call, entries }
}

test('the entry of a creation has actor, IP, request id and result, without the secret', async () => {
  const { store, admin, call, entries } = await setUp()

  const { data } = await call('POST /admin/webhooks', hook, { headers: { 'X-Request-Id': 'audit-test-1' } })

  const [entry, ...rest] = await entries()
  assert.deepEqual(rest, [])
  assert.equal(entry.sequence, 1)
  assert.equal(entry.store_id, store.id)
  assert.partialDeepStrictEqual(entry.actor, { type: 'staff', id: admin.id, email: admin.email })
  assert.match(entry.actor.session_id, /^[0-9a-f-]{36}$/)
  assert.partialDeepStrictEqual(entry, { ip: '127.0.0.1', request_id: 'audit-test-1' })
  assert.equal(entry.action, 'postAdminWebhooks')
  assert.deepEqual(entry.resource, { type: 'webhooks', id: data.id })
  assert.equal(entry.before, null)
  assert.equal(entry.after.url, hook.url)
  assert.equal(entry.after.secret, '[secret]')
  assert.ok(!JSON.stringify(entry).includes(data.secret))
})

test('the entry of a change has the resource before and after', async () => {
  const { call, entries } = await setUp()
  const { data } = await call('POST /admin/webhooks', hook)

  await call(`PATCH /admin/webhooks/${data.id}`, { description: 'Warehouse' })

  const [entry] = await entries()
  assert.equal(entry.action, 'patchAdminWebhooksWebhookId')
  assert.deepEqual(entry.resource, { type: 'webhooks', id: data.id })
  assert.equal(entry.before.description, data.description)
  assert.equal(entry.after.description, 'Warehouse')
})

test('the entry of a deletion has the deleted resource in before', async () => {
  const { call, entries } = await setUp()
  const { data } = await call('POST /admin/webhooks', hook)

  await call(`DELETE /admin/webhooks/${data.id}`)

  const [entry] = await entries()
  assert.deepEqual({ url: entry.before.url, after: entry.after }, { url: hook.url, after: null })
})

test('entries contain no secret from a request or an answer', async () => {
  const { store, call, entries } = await setUp()
  const { token } = await buildSuperAdmin()
  const given = {
    password: 'a password of someone',
    api_key: 'till-key-0123456789',
    client_secret: 'c'.repeat(32),
  }
  const person = {
    email: `${store.slug}@example.test`,
    firstname: 'Mary',
    lastname: 'Jackson',
    role: 'sales',
  }
  const voucher = {
    from_name: 'A',
    from_email: 'a@example.test',
    to_name: 'B',
    to_email: 'b@example.test',
    amount: 50,
  }

  const hookMade = await call('POST /admin/webhooks', hook)
  const rotated = await call(`POST /admin/webhooks/${hookMade.data.id}/rotate-secret`)
  const apiToken = await call('POST /admin/api-tokens', { name: 'Scanner', rights: ['refund'] })
  const key = await call('POST /admin/publishable-keys', { name: 'App', mode: 'live' })
  const bought = await call('POST /admin/vouchers', voucher)
  const visit = { reason: 'A question about an order', minutes: 5 }
  const signedIn = await request(`POST /super-admin/stores/${store.id}/sign-in`, { token, body: visit })
  const changes = [
    await call('POST /admin/users', { ...person, password: given.password }),
    await call('PUT /admin/remote/settings', { base_url: 'http://127.0.0.1:9/', api_key: given.api_key }),
    await call('POST /admin/identity-providers', provider(given.client_secret)),
    await call(`DELETE /admin/vouchers/${bought.data.id}`),
  ]

  const shown = [
    hookMade.data.secret,
    rotated.data.secret,
    apiToken.data.token,
    key.data.key,
    bought.data.code,
    signedIn.data.access_token,
  ]
  assert.ok(shown.every((secret) => secret.length > 15))
  assert.ok(changes.every(({ status }) => status < 300))
  const text = JSON.stringify(await entries())
  for (const secret of [...Object.values(given), ...shown]) assert.ok(!text.includes(secret), secret)
  assert.ok(text.includes(`"code":"…${bought.data.code.slice(-4)}"`))
})

test('before and after hold the changed fields when the response is part of the resource or null', async () => {
  const { store, call, entries } = await setUp()
  const product = await buildProduct(store)
  const category = await buildCategory(store)

  await call(`PUT /admin/products/${product.id}/categories`, { items: [category.id] })
  const link = await call('POST /admin/remote/links', { item_id: 'item-1', product_id: product.id })
  await call(`DELETE /admin/remote/links/${link.data.id}`)

  const [unlinked, , moved] = await entries()
  for (const side of [moved.before, moved.after]) assert.equal(side.slug, undefined, 'it did not change')
  assert.deepEqual(moved.before.category_ids, [])
  assert.deepEqual(moved.after.category_ids, [category.id])
  assert.deepEqual(
    { item_id: unlinked.before.item_id, after: unlinked.after },
    { item_id: 'item-1', after: null },
  )
})

test('100 long image URLs hide no price change', async () => {
  const { store, call, entries } = await setUp()
  const product = await buildProduct(store)
  const images = Array.from({ length: 100 }, (_, at) => ({
    url: `https://images.example/${at}/${'x'.repeat(1_900)}.png`,
  }))
  const put = await call(`PUT /admin/products/${product.id}/images`, { items: images })
  assert.equal(put.status, 200, put.error ?? '')

  await call(`PATCH /admin/products/${product.id}`, { price: 12.5 })
  await call(`DELETE /admin/products/${product.id}`)

  const [removed, priced, pictured] = await entries()
  assert.equal(priced.after.price, 12.5)
  assert.equal(typeof priced.before.price, 'number')
  assert.equal('images' in priced.after, false)
  assert.equal(removed.action, 'deleteAdminProductsProductId')
  assert.ok('deleted_at' in removed.before || removed.after === null)
  assert.ok(JSON.stringify(pictured).includes('https://images.example/0/'))
})

test('the creation of a role names the role as resource, with a null before', async () => {
  const { call, entries } = await setUp()

  const { data } = await call('POST /admin/roles', { name: 'packer', rights: ['sales:read'] })

  const [entry] = await entries()
  assert.deepEqual(
    { before: entry.before, id: entry.after.id, resource: entry.resource },
    { before: null, id: data.id, resource: { type: 'roles', id: data.id } },
  )
})

test('a domain change by a super-admin has the same entry as one by staff', async () => {
  const { store, entries } = await setUp()
  const { token } = await buildSuperAdmin()
  const domain = `${store.slug}.shop.example`
  const base = `/super-admin/stores/${store.id}/domains`

  const { data } = await request(`POST ${base}`, { token, body: { domain } })
  await request(`DELETE ${base}/${data.id}`, { token })

  const [removed, added] = await entries()
  for (const { resource } of [added, removed]) assert.deepEqual(resource, { type: 'domains', id: data.id })
  assert.deepEqual({ before: added.before, domain: added.after.domain }, { before: null, domain })
  assert.deepEqual({ domain: removed.before.domain, after: removed.after }, { domain, after: null })
})

test('the entry of a settings change has an empty resource id', async () => {
  const { call, entries } = await setUp()

  await call('PATCH /admin/settings', { min_order_total: 25 })

  const [entry] = await entries()
  assert.deepEqual(entry.resource, { type: 'settings', id: '' })
  assert.equal(entry.before.min_order_total, 0)
  assert.equal(entry.after.min_order_total, 25)
})

test('changes of staff to their own credentials are logged with actor, before and after', async () => {
  const { store, admin, entries } = await setUp()
  const tom = await buildStaff(store, { role: 'sales' })
  const asTom = async (line: string, body: object) =>
    (await request(line, { token: tom.token, body: { current_password: PASSWORD, ...body } })).data

  const { secret } = await asTom('POST /auth/2fa/setup', {})
  const { recovery_codes: codes } = await asTom('POST /auth/2fa/enable', { totp_code: codeOf(secret) })
  await asTom('POST /auth/2fa/disable', { recovery_code: codes[0] })
  await asTom('POST /auth/password', { password: 'staple by staple' })
  await request('PATCH /auth/me', { token: tom.token, body: { firstname: 'Tom' } })
  await request(`POST /admin/users/${tom.id}/sessions/revoke`, { token: admin.token })

  const [entry, ...rest] = await entries('?action=postAuth2faDisable')
  assert.deepEqual(rest, [])
  assert.partialDeepStrictEqual(entry.actor, { type: 'staff', id: tom.id, email: tom.email })
  assert.match(entry.actor.session_id, /^[0-9a-f-]{36}$/)
  assert.equal(entry.ip, '127.0.0.1')
  assert.equal(entry.before.two_factor_enabled, true)
  assert.equal(entry.after.two_factor_enabled, false)
  const ofTom = await entries(`?resource_type=users&resource_id=${tom.id}`)
  assert.deepEqual(
    ofTom.map(({ action }: { action: string }) => action),
    [
      'postAdminUsersUserIdSessionsRevoke',
      'patchAuthMe',
      'postAuthPassword',
      'postAuth2faDisable',
      'postAuth2faEnable',
      'postAuth2faSetup',
    ],
  )
  const text = JSON.stringify(ofTom)
  for (const value of [secret, ...codes, PASSWORD]) assert.ok(!text.includes(value))
  assert.equal(ofTom[1].before.firstname, 'Grace')
  assert.equal(ofTom[1].after.firstname, 'Tom')
})

test('a password reset by link is logged without a session; closed sessions are logged with one', async () => {
  const { store, entries } = await setUp()
  const { id, email, refreshToken, password } = await buildStaff(store, { role: 'sales' })
  const other = (await request('POST /auth/login', { body: { email, password } })).data
  const sessions = (await request('GET /auth/sessions', { token: other.access_token })).data
  const [mine, first] = sessions.map((session: { id: string }) => session.id)
  const link = await inStore(store.id, (tx) => issueLink(tx, { type: 'staff', id }, 'reset_password'))

  await request(`DELETE /auth/sessions/${first}`, { token: other.access_token })
  const refused = await request('POST /auth/logout?all=true', { body: { refresh_token: refreshToken } })
  await request('POST /auth/logout?all=true', { body: { refresh_token: other.refresh_token } })
  await request('POST /auth/password/reset', { body: { token: link?.token, password: 'staple by staple' } })

  assert.equal(refused.error_code, 'auth.session_revoked')
  const made = (await entries()).map(
    ({ action, actor, resource }: { action: string; actor: { session_id: string }; resource: object }) => ({
      action,
      session: actor.session_id,
      resource,
    }),
  )
  assert.deepEqual(made, [
    { action: 'postAuthPasswordReset', session: null, resource: { type: 'users', id } },
    { action: 'postAuthLogout', session: mine, resource: { type: 'users', id } },
    { action: 'deleteAuthSessionsId', session: mine, resource: { type: 'sessions', id: first } },
  ])
})

test('sign-ins, sign-outs of one session, customer actions and refused requests leave no entry', async () => {
  const { store, entries } = await setUp()
  const [customer, member] = [await buildCustomer(store), await buildStaff(store, { role: 'sales' })]
  const change = { current_password: PASSWORD, password: 'staple by staple' }

  await request('POST /auth/password', { store, token: customer.token, body: change })
  await request('POST /auth/logout?all=true', { store, body: { refresh_token: customer.refreshToken } })
  await request('POST /auth/password', {
    token: member.token,
    body: { ...change, current_password: 'wrong' },
  })
  const { refresh_token } = (
    await request('POST /auth/login', { body: { email: member.email, password: PASSWORD } })
  ).data
  await request('POST /auth/logout', { body: { refresh_token } })

  assert.deepEqual(await entries(), [])
})

test('refused requests and reads leave no entry', async () => {
  const { store, call, entries } = await setUp()
  const analyst = await buildStaff(store, { role: 'analyst' })
  const { data } = await call('POST /admin/webhooks', hook)

  await call('GET /admin/webhooks')
  await call('POST /admin/webhooks', { url: 'nonsense', events: [] })
  await call(`PATCH /admin/webhooks/${data.id}`, { url: 'ftp://example.com/hook' })
  await call(`PATCH /admin/webhooks/${store.id}`, { description: 'nobody' })
  await request('POST /admin/webhooks', { token: analyst.token, body: hook })

  assert.equal((await entries()).length, 1)
})

test('a change repeated with its idempotency key is logged once', async () => {
  const { call, entries } = await setUp()

  const first = await call('POST /admin/webhooks', hook, { key: 'again' })
  const second = await call('POST /admin/webhooks', hook, { key: 'again' })

  assert.equal(first.data.id, second.data.id)
  assert.equal((await entries()).length, 1)
})

test('an accepted upload is logged as queued; a refused one leaves no entry', async () => {
  const { call, entries } = await setUp()
  const csv = 'Handle,Title,Variant SKU,Variant Price\nstool,Stool,STOOL,89.00\n'

  const { data } = await call('POST /admin/products/import', csv, { headers: { 'Content-Type': 'text/csv' } })
  await call('POST /admin/products/import', Buffer.from([0xff, 0xfe]).toString('latin1'), {
    headers: { 'Content-Type': 'text/plain' },
  })

  const [entry, ...rest] = await entries()
  assert.deepEqual(rest, [])
  assert.deepEqual(entry.resource, { type: 'products/import', id: data.id })
  assert.equal(entry.after.status, 'queued')
})

test('the log is filtered and paged, newest first', async () => {
  const { store, admin, call, entries } = await setUp()
  const other = await buildStaff(store, { role: 'administrator' })
  const { data } = await call('POST /admin/webhooks', hook)
  await call(`PATCH /admin/webhooks/${data.id}`, { description: 'one' })
  await request('PATCH /admin/settings', { token: other.token, body: { min_order_total: 1 } })
  const sequences = async (query: string) =>
    (await entries(query)).map((e: { sequence: number }) => e.sequence)

  assert.deepEqual(await sequences(''), [3, 2, 1])
  assert.deepEqual(await sequences('?page=2&page_size=2'), [1])
  assert.deepEqual(await sequences(`?actor_id=${admin.id}`), [2, 1])
  assert.deepEqual(await sequences('?actor_type=api_token'), [])
  assert.deepEqual(await sequences('?action=postAdminWebhooks'), [1])
  assert.deepEqual(await sequences('?resource_type=settings'), [3])
  assert.deepEqual(await sequences(`?resource_type=webhooks&resource_id=${data.id}`), [2, 1])
  assert.deepEqual(await sequences('?created_from=2000-01-01T00:00:00Z&created_to=2001-01-01T00:00:00Z'), [])
  assert.equal((await call('GET /admin/audit-log?page_size=2')).meta.total, 3)
  assert.equal((await call('GET /admin/audit-log?resource=x')).status, 422)
})

test('the resource id is stored and filtered in lower case', async () => {
  const { call, entries } = await setUp()
  const { data } = await call('POST /admin/webhooks', hook)

  await call(`PATCH /admin/webhooks/${data.id.toUpperCase()}`, { description: 'unseen' })

  const found = [
    await entries(`?resource_id=${data.id}`),
    await entries(`?resource_id=${data.id.toUpperCase()}`),
  ]
  assert.deepEqual(
    found.map(([entry]) => entry.after.description),
    ['unseen', 'unseen'],
  )
})

test('another store sees no entries; staff without system:read get auth.forbidden', async () => {
  const { store, call } = await setUp()
  await call('POST /admin/webhooks', hook)
  const elsewhere = await setUp()
  const sales = await buildStaff(store, { role: 'sales' })

  assert.deepEqual(await elsewhere.entries(), [])
  assert.equal((await request('GET /admin/audit-log', { token: sales.token })).error_code, 'auth.forbidden')
})

test('a token without users:read sees no entry of staff, their accounts and the owner', async () => {
  const { store, call, admin } = await setUp()
  const owner = await buildStaff(store, { role: 'owner' })
  const root = await buildSuperAdmin()
  await call('POST /admin/webhooks', hook)
  await call('PATCH /auth/me', { firstname: 'Rosalind' })
  await call('POST /auth/2fa/setup', { current_password: PASSWORD })
  const { data: sessions } = await call('GET /auth/sessions')
  await request('POST /admin/owner/transfer', {
    token: owner.token,
    body: { user_id: admin.id, current_password: PASSWORD },
  })
  await request(`POST /super-admin/stores/${store.id}/owner`, {
    token: root.token,
    body: { user_id: owner.id },
  })
  await call(`DELETE /auth/sessions/${sessions[0].id}`)
  const actionsFor = async (...rights: Right[]) => {
    const { token } = await buildApiToken(store, ...rights)
    const { data } = await request('GET /admin/audit-log', { token })
    return data.map(({ action }: { action: string }) => action).toReversed()
  }

  assert.deepEqual(await actionsFor('system:read'), ['postAdminWebhooks'])
  assert.deepEqual(await actionsFor('system:read', 'users:read'), [
    'postAdminWebhooks',
    'patchAuthMe',
    'postAuth2faSetup',
    'postAdminOwnerTransfer',
    'postSuperAdminStoresIdOwner',
    'deleteAuthSessionsId',
  ])
})

test('20 concurrent changes leave an unbroken chain; each before matches the previous after', async () => {
  const { store, call, entries } = await setUp()
  const { data } = await call('POST /admin/webhooks', hook)

  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      call(`PATCH /admin/webhooks/${data.id}`, { description: `version ${i}` }),
    ),
  )

  const { verifiedCount, broken } = await verify(store)
  assert.deepEqual({ verifiedCount, broken }, { verifiedCount: 21n, broken: null })
  const changes = (await entries('?page_size=20')).reverse()
  for (const [i, entry] of changes.entries())
    if (i) assert.equal(entry.before.description, changes[i - 1].after.description)
})

test('a change whose audit entry fails returns 500 and is rolled back', async (t) => {
  const { call } = await setUp()
  await superuser.query(
    `alter table audit_entries add constraint nothing check (action <> 'patchAdminSettings') not valid`,
  )
  t.after(() => superuser.query('alter table audit_entries drop constraint nothing'))

  const refused = await call('PATCH /admin/settings', { min_order_total: 77 })

  assert.equal(refused.status, 500)
  assert.equal((await call('GET /admin/settings')).data.min_order_total, 0)
})
