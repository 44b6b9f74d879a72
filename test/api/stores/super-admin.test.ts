import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { sendMail } from '#shared/mail/jobs.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { takeDomainName } from '#shared/stores/domains/store-domain.ts'
import { deleteStore } from '#shared/stores/lifecycle/delete-store.ts'
import { lockStoreExclusively } from '#shared/stores/store.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { newcomer } from '#test/support/builders/administrator.ts'
import { verify } from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { pending, untilSomeWait } from '#test/support/races/overlap.ts'

let root: BuiltAccount
before(async () => {
  root = await buildSuperAdmin()
})

const call = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
  request(line, { token: root.token, headers, ...(body === undefined ? {} : { body }) })

const draft = (slug: string) => ({
  slug,
  name: `Store ${slug}`,
  email: `hello@${slug}.example`,
  currency: 'EUR',
  languages: ['de', 'en'],
  time_zone: 'Europe/Berlin',
  owner: {
    email: `owner@${slug}.example`,
    firstname: 'Ada',
    lastname: 'Byron',
    password: 'correct horse battery',
  },
})

test('a new store is active, and its owner can sign in', async () => {
  const { status, data } = await call('POST /super-admin/stores', { ...draft('opened'), country: 'DE' })

  assert.deepEqual({ status, country: data.country }, { status: 201, country: 'DE' })
  assert.deepEqual(
    { status: data.status, default_language: data.default_language, is_owner: data.owner.is_owner },
    { status: 'active', default_language: 'de', is_owner: true },
  )
  const login = await request('POST /auth/login', {
    body: { email: 'owner@opened.example', password: 'correct horse battery' },
  })
  assert.equal(login.data.staff.id, data.owner.id)
  const log = await request('GET /admin/audit-log', { token: login.data.access_token })
  assert.deepEqual(
    { type: log.data[0].actor.type, email: log.data[0].actor.email },
    { type: 'super_admin', email: root.email },
  )
})

test('a refused creation leaves no store behind', async () => {
  await call('POST /super-admin/stores', draft('first'))

  const sameSlug = await call('POST /super-admin/stores', { ...draft('other'), slug: 'first' })
  const sameOwner = await call('POST /super-admin/stores', {
    ...draft('second'),
    owner: draft('first').owner,
  })
  const badTimeZone = await call('POST /super-admin/stores', { ...draft('third'), time_zone: 'Mars/Olympus' })
  const badCurrency = await call('POST /super-admin/stores', { ...draft('third'), currency: 'ZZZ' })
  const badCountry = await call('POST /super-admin/stores', { ...draft('third'), country: 'ZZ' })

  assert.equal(sameSlug.error_code, 'store.slug_taken')
  assert.equal(sameOwner.error_code, 'auth.email_taken')
  for (const { status } of [badTimeZone, badCurrency, badCountry]) assert.equal(status, 422)
  assert.deepEqual(badCurrency.detail[0].loc, ['body', 'currency'])
  assert.equal((await call('GET /super-admin/stores?q=second')).meta.total, 0)
})

test('one of two concurrent creations with the same domains in opposite order succeeds', async () => {
  const domains = ['alpha.harbor.example', 'beta.harbor.example']
  const holder = await buildStore()
  const held = await pending(
    (work) => inStore(holder.id, work),
    (tx) => takeDomainName(tx, 'alpha.harbor.example'),
  )

  const one = call('POST /super-admin/stores', { ...draft('forth'), domains })
  await untilSomeWait(1)
  const other = call('POST /super-admin/stores', { ...draft('back'), domains: domains.toReversed() })
  await untilSomeWait(2)
  // Both wait for the lock on the first domain in order. Neither holds the second, so no deadlock can occur.
  await inStore(holder.id, async (tx) => {
    await tx.knex.raw("set local lock_timeout = '100ms'")
    assert.ok(await takeDomainName(tx, 'beta.harbor.example'))
  })
  held.commit()
  await held.done

  const answers = await Promise.all([one, other])
  assert.deepEqual(
    answers.map(({ status, error_code }) => ({ status, error_code })),
    [
      { status: 201, error_code: null },
      { status: 409, error_code: 'domain.taken' },
    ],
  )
})

test('an owner without a password gets a mail with a link', async () => {
  const { owner, ...store } = draft('invited')
  const { password: _, ...person } = owner

  const { status } = await call('POST /super-admin/stores', { ...store, owner: person })

  assert.equal(status, 201)
  const sent = (await drainJobs()).filter(({ queue }) => queue === sendMail.queue)
  assert.deepEqual(
    sent.map(({ error }) => error),
    [null],
  )
})

test('a two-factor reset lets the owner sign in with the password alone', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  await buildTwoFactor(store, { type: 'staff', id: owner.id })
  const reset = () => call(`POST /super-admin/stores/${store.id}/owner/2fa/reset`)

  const [first, again] = [await reset(), await reset()]
  const ownerless = await call(`POST /super-admin/stores/${(await buildStore()).id}/owner/2fa/reset`)

  assert.deepEqual(
    { status: first.status, error_code: again.error_code },
    { status: 200, error_code: 'auth.totp_not_enabled' },
  )
  assert.equal(ownerless.status, 404)
  const body = { email: owner.email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { body })).status, 200)
})

test('a transfer of ownership makes the former owner an administrator', async () => {
  const store = await buildStore()
  const [owner, next] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  const transfer = (user_id: string) => call(`POST /super-admin/stores/${store.id}/owner`, { user_id })

  const transferred = await transfer(next.id)

  assert.partialDeepStrictEqual(transferred.data, { id: next.id, is_owner: true, role: 'owner' })
  const before = await request('GET /auth/me', { token: owner.token })
  assert.partialDeepStrictEqual(before.data, { is_owner: false, role: 'administrator' })
  assert.equal((await transfer(next.id)).status, 422)
  assert.equal((await transfer(store.id)).error_code, 'resource.not_found')
})

test('a transfer to a member who has not proven the address returns 409 user.email_unproven', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const { data: next } = await request('POST /admin/users', { token, body: newcomer() })

  const refused = await call(`POST /super-admin/stores/${store.id}/owner`, { user_id: next.id })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'user.email_unproven' })
})

test('stores are listed, filtered and sorted', async () => {
  for (const slug of ['list-a', 'list-b', 'list-c']) await buildStore({ slug })
  const { data } = await call('GET /super-admin/stores?q=list-b')
  await call(`POST /super-admin/stores/${data[0].id}/suspend`)
  const slugs = async (query: string) =>
    (await call(`GET /super-admin/stores?${query}`)).data.map(({ slug }: { slug: string }) => slug)

  assert.deepEqual(await slugs('q=list-&sort=-slug'), ['list-c', 'list-b', 'list-a'])
  assert.deepEqual(await slugs('q=list-&sort=slug&page=2&page_size=2'), ['list-c'])
  assert.deepEqual(await slugs('q=list-&status=suspended'), ['list-b'])
  assert.deepEqual(await slugs('q=%25%25'), [])
})

test('an id in capitals finds the store', async () => {
  const { id } = await buildStore()

  assert.equal((await call(`GET /super-admin/stores/${id.toUpperCase()}`)).data.id, id)
})

test('a change with an outdated If-Match returns resource.changed', async () => {
  const { id } = await buildStore()
  const read = await call(`GET /super-admin/stores/${id}`)
  const tag = { 'If-Match': read.headers.get('ETag') ?? '' }

  const changed = await call(`PATCH /super-admin/stores/${id}`, { name: 'Renamed' }, tag)
  const stale = await call(`PATCH /super-admin/stores/${id}`, { name: 'Again' }, tag)

  assert.equal(changed.data.name, 'Renamed')
  assert.equal(stale.error_code, 'resource.changed')
})

test('a suspended store returns 401 to everyone; a restore reopens it with its sessions', async () => {
  const store = await buildStore()
  const staff = await buildStaff(store, { role: 'owner' })
  const customer = await buildCustomer(store)
  const statuses = async () => [
    (await request('GET /settings/store-info', { store })).status,
    (await request('GET /auth/me', { store, token: customer.token })).status,
    (await request('GET /admin/settings', { token: staff.token })).status,
  ]
  assert.deepEqual(await statuses(), [200, 200, 200])

  await call(`POST /super-admin/stores/${store.id}/suspend`)
  assert.deepEqual(await statuses(), [401, 401, 401])

  await call(`POST /super-admin/stores/${store.id}/restore`)
  assert.deepEqual(await statuses(), [200, 200, 200])
})

test('a deletion closes the store and its sessions immediately; a restore does not reopen the sessions', async () => {
  const store = await buildStore()
  const staff = await buildStaff(store, { role: 'owner' })

  const deleted = await call(`DELETE /super-admin/stores/${store.id}`)

  assert.equal(deleted.data, null)
  // A restore also closes open sessions, so only the rows show that the deletion closed them.
  const left = await inStore(store.id, (tx) => tx.knex('sessions').whereNull('closed_at'))
  assert.equal(left.length, 0)
  assert.equal((await request('GET /settings/store-info', { store })).status, 401)
  const login = await request('POST /auth/login', { body: { email: staff.email, password: staff.password } })
  assert.equal(login.error_code, 'auth.tenant_unavailable')
  const restored = await call(`POST /super-admin/stores/${store.id}/restore`)
  assert.partialDeepStrictEqual(restored.data, { status: 'active', deleted_at: null })
  assert.equal(
    (await request('GET /admin/settings', { token: staff.token })).error_code,
    'auth.session_revoked',
  )
  assert.equal((await request('GET /settings/store-info', { store })).status, 200)
})

test('a restore closes a session that was opened during the deletion', async () => {
  const store = await buildStore()
  const staff = await buildStaff(store, { role: 'owner' })

  const deletion = await pending(
    (work) => inStore(store.id, work),
    (tx) => deleteStore(tx, closeSessionsOfDeletedStore),
  )
  const { status, data } = await request('POST /auth/login', {
    body: { email: staff.email, password: staff.password },
  })
  deletion.commit()
  await deletion.done

  const left = await inStore(store.id, (tx) => tx.knex('sessions').whereNull('closed_at'))
  assert.deepEqual(
    { status, leftCount: left.length },
    { status: 200, leftCount: 1 },
    'the session must be open after the deletion',
  )
  await call(`POST /super-admin/stores/${store.id}/restore`)
  const later = await request('GET /admin/settings', { token: data.access_token })
  assert.equal(later.error_code, 'auth.session_revoked')
})

for (const [line, status] of Object.entries({
  'POST /super-admin/stores/:id/suspend': 'suspended',
  'DELETE /super-admin/stores/:id': 'deleted',
}))
  test(`${line} does not wait for a transaction that adds rows of the store`, async () => {
    const { id } = await buildStore()
    const addRow = (tx: StoreTx) => tx.knex.raw('select from stores where id = ? for key share', id)
    const held = await pending((work) => inStore(id, work), addRow)

    // The control: an exclusive lock waits. In a busy store another such transaction is always open.
    const exclusive = inStore(id, async (tx) => {
      await tx.knex.raw("set local lock_timeout = '100ms'")
      await lockStoreExclusively(tx)
    })
    await assert.rejects(exclusive, /lock timeout/)
    const { status: code } = await call(line.replace(':id', id))
    const found = await call(`GET /super-admin/stores/${id}`)
    held.commit()
    await held.done

    assert.deepEqual({ code, status: found.data.status }, { code: 200, status })
  })

test('an invalid status transition returns store.invalid_transition', async () => {
  const { id } = await buildStore()
  const code = async (line: string) => (await call(line)).error_code

  assert.equal(await code(`POST /super-admin/stores/${id}/restore`), 'store.invalid_transition')
  await call(`POST /super-admin/stores/${id}/suspend`)
  assert.equal(await code(`POST /super-admin/stores/${id}/suspend`), 'store.invalid_transition')
  await call(`DELETE /super-admin/stores/${id}`)
  assert.equal(await code(`DELETE /super-admin/stores/${id}`), 'store.invalid_transition')
  assert.equal(await code(`POST /super-admin/stores/${id}/suspend`), 'store.invalid_transition')
})

test('a super-admin manages the keys and domains of any store', async () => {
  const store = await buildStore()
  const base = `/super-admin/stores/${store.id}`

  const key = await call(`POST ${base}/publishable-keys`, { mode: 'test' })
  const next = await call(`POST ${base}/publishable-keys/${key.data.id}/rotate`, { overlap_seconds: 60 })
  await call(`POST ${base}/publishable-keys/${next.data.id}/revoke`)
  const info = (shown: string) => request('GET /settings/store-info', { store: { key: shown } })
  assert.equal((await info(key.data.key)).data.slug, store.slug)
  assert.equal((await info(next.data.key)).error_code, 'auth.publishable_key_invalid')
  assert.equal((await call(`GET ${base}/publishable-keys`)).meta.total, 3)

  const narrow = (id: string, headers = {}) =>
    call(`PATCH ${base}/publishable-keys/${id}`, { allowed_origins: ['https://shop.example'] }, headers)
  const narrowed = await narrow(key.data.id)
  const stray = await request('GET /settings/store-info', {
    store: { key: key.data.key },
    headers: { Origin: 'https://elsewhere.example' },
  })
  assert.deepEqual(narrowed.data.allowed_origins, ['https://shop.example'])
  assert.equal(stray.error_code, 'auth.origin_not_allowed')
  assert.equal((await narrow(key.data.id, { 'If-Match': '"old"' })).error_code, 'resource.changed')
  assert.equal((await narrow(next.data.id)).error_code, 'publishable_key.not_active')

  const domain = await call(`POST ${base}/domains`, { domain: `given-${store.slug}.example` })
  assert.equal(domain.data.status, 'verified')
  await call(`DELETE ${base}/domains/${domain.data.id}`)
  assert.ok(!JSON.stringify((await call(`GET ${base}/domains`)).data).includes('given-'))

  const other = await buildStore()
  const elsewhere = await call(`POST /super-admin/stores/${other.id}/publishable-keys/${key.data.id}/revoke`)
  assert.equal(elsewhere.error_code, 'resource.not_found')
})

test('a domain that the store or another one has is refused', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const add = async (domain: string) =>
    (await call(`POST /super-admin/stores/${store.id}/domains`, { domain })).error_code
  const twice = { ...draft('twice'), domains: ['twice.example', 'TWICE.example'] }
  await add('once.example')

  assert.deepEqual(
    {
      again: await add('once.example'),
      ofOther: await add(other.domain),
      twice: (await call('POST /super-admin/stores', twice)).error_code,
    },
    { again: 'domain.already_added', ofOther: 'domain.taken', twice: 'domain.already_added' },
  )
})

test('a super-admin issues at most 20 keys of a store, and rotates no revoked one', async () => {
  const store = await buildStore()
  const path = `/super-admin/stores/${store.id}/publishable-keys`
  const issue = () => call(`POST ${path}`, { mode: 'test' })
  const ids: string[] = []
  for (let count = 1; count < 20; count++) ids.push((await issue()).data.id)
  const rotate = async (id: string | undefined) =>
    (await call(`POST ${path}/${id}/rotate`, { overlap_seconds: 60 })).error_code

  const more = (await issue()).error_code
  const rotated = await rotate(ids[0])
  await call(`POST ${path}/${ids[0]}/revoke`)

  assert.deepEqual(
    { more, rotated, revoked: await rotate(ids[0]) },
    {
      more: 'publishable_key.limit_reached',
      rotated: 'publishable_key.limit_reached',
      revoked: 'publishable_key.not_active',
    },
  )
})

test("every change has an entry in the store's log and in the platform's, and the chain is unbroken", async () => {
  const store = await buildStore()
  await call(`POST /super-admin/stores/${store.id}/suspend`)
  await call(`PATCH /super-admin/stores/${store.id}`, { name: 'Renamed' })

  const platform = await call(`GET /super-admin/audit-log?store_id=${store.id}`)
  const own = await call(`GET /super-admin/audit-log?log=store&store_id=${store.id}`)

  for (const { data } of [platform, own]) {
    assert.deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['patchSuperAdminStoresId', 'postSuperAdminStoresIdSuspend'],
    )
    assert.partialDeepStrictEqual(data[1], {
      before: { status: 'active' },
      after: { status: 'suspended' },
      actor: { email: root.email },
    })
  }
  assert.equal((await verify(store)).broken, null)
  assert.equal((await call('GET /super-admin/audit-log?log=store')).status, 422)
})

test('staff get auth.not_authenticated; an unknown store returns resource.not_found', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })

  const byStaff = await request(`DELETE /super-admin/stores/${store.id}`, { token: owner.token })
  const unknown = await call(`POST /super-admin/stores/${newId()}/suspend`)
  const nonsense = await call('GET /super-admin/stores/nonsense')

  assert.equal(byStaff.error_code, 'auth.not_authenticated')
  assert.equal(unknown.error_code, 'resource.not_found')
  assert.equal(nonsense.status, 422)
})
