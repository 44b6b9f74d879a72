import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Knex } from 'knex'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { setStaffEmail } from '#shared/staff/staff-email.ts'
import { upsertSuperAdmin, writeSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { type Asked, request } from '#test/support/app.ts'
import { buildStore, nextNumber } from '#test/support/build.ts'
import { buildRole, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { buildTwoFactor } from '#test/support/build-two-factor.ts'
import { countQueries } from '#test/support/count-queries.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { mailbox } from '#test/support/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/overlap.ts'

const newcomer = () => ({
  email: `newcomer-${nextNumber()}@example.test`,
  firstname: 'Grace',
  lastname: 'Hopper',
  role: 'sales',
})

async function buildAdministrator(role = 'administrator') {
  const store = await buildStore()
  const me = await buildStaff(store, { role })
  const as = (line: string, asked: Asked = {}) => request(line, { token: me.token, ...asked })
  return { store, me, as }
}

const signIn = (email: string, password = PASSWORD) =>
  request('POST /auth/login', { body: { email, password, account: 'staff' } })

test('a created member signs in and has the rights of the role', async () => {
  const { as } = await buildAdministrator()
  const draft = newcomer()

  const { status, data, headers } = await as('POST /admin/users', { body: { ...draft, password: PASSWORD } })
  const signedIn = await signIn(draft.email.toUpperCase())
  const { status: allowed } = await request('GET /admin/orders', { token: signedIn.data.access_token })
  const { error_code } = await request('GET /admin/users', { token: signedIn.data.access_token })

  const { id, created_at, updated_at, ...rest } = data
  assert.equal(status, 201)
  assert.deepEqual(rest, { ...draft, is_owner: false, is_active: true })
  assert.ok(id && created_at === updated_at && headers.get('etag'))
  assert.deepEqual({ allowed, error_code }, { allowed: 200, error_code: 'auth.forbidden' })
})

test("an address of another store's staff returns 409 auth.email_taken", async () => {
  const { as } = await buildAdministrator()
  const other = await buildStaff(await buildStore(), { role: 'owner' })
  const mine = (
    await as('POST /admin/users', { body: { ...newcomer(), email: 'a@b.test', password: PASSWORD } })
  ).data

  const body = { ...newcomer(), email: other.email.toUpperCase(), password: PASSWORD }
  const taken = await as('POST /admin/users', { body })
  const moved = await as(`PATCH /admin/users/${mine.id}`, { body: { email: other.email } })

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'auth.email_taken' })
  assert.partialDeepStrictEqual(moved, { status: 409, error_code: 'auth.email_taken' })
})

test('staff and super-admins cannot share an address', async () => {
  const { as } = await buildAdministrator()
  const member = await buildStaff(await buildStore(), { role: 'owner' })
  const { email } = await buildSuperAdmin()

  const taken = await as('POST /admin/users', { body: { ...newcomer(), email, password: PASSWORD } })
  const { data: mine } = await as('POST /admin/users', { body: { ...newcomer(), password: PASSWORD } })
  const moved = await as(`PATCH /admin/users/${mine.id}`, { body: { email } })

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'auth.email_taken' })
  assert.partialDeepStrictEqual(moved, { status: 409, error_code: 'auth.email_taken' })
  await assert.rejects(upsertSuperAdmin({ email: member.email.toUpperCase(), password: PASSWORD }), {
    code: 'auth.email_taken',
  })
  await upsertSuperAdmin({ email, password: PASSWORD })
})

test('the first of a staff member and a super-admin with concurrent claims gets the address', async () => {
  const { store, me, as } = await buildAdministrator()
  const [draft, wanted] = [newcomer(), newcomer().email]
  const superAdmin = (email: string) => (knex: Knex) => writeSuperAdmin(knex, { email, passwordHash: 'none' })

  const kept = await pending(inPlatform, superAdmin(draft.email))
  const added = as('POST /admin/users', { body: { ...draft, password: PASSWORD } })
  await untilOneWaits().finally(kept.commit)
  await kept.done
  const moved = await pending(
    (work) => inStore(store.id, work),
    (tx) => setStaffEmail(tx, me.id, wanted),
  )
  const late = inPlatform(superAdmin(wanted)).catch(({ code }) => code)
  await untilOneWaits().finally(moved.commit)
  await moved.done

  assert.equal((await added).error_code, 'auth.email_taken')
  assert.equal(await late, 'auth.email_taken')
})

test('one of eight concurrent requests with one address succeeds', async () => {
  const { as } = await buildAdministrator()
  const body = { ...newcomer(), email: 'wanted@example.test', password: PASSWORD }

  const answers = await Promise.all(Array.from({ length: 8 }, () => as('POST /admin/users', { body })))

  const codes = answers.map(({ error_code }) => error_code).sort()
  assert.deepEqual(codes, [...Array(7).fill('auth.email_taken'), null])
})

test('a changed address signs in, and the old address is free', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email } = await buildStaff(store, { role: 'sales' })

  await as(`PATCH /admin/users/${id}`, { body: { email: 'New@Example.test' } })
  const [byNew, byOld] = [await signIn('new@example.test'), await signIn(email)]
  const reused = await as('POST /admin/users', { body: { ...newcomer(), email, password: PASSWORD } })
  const sameAgain = await as(`PATCH /admin/users/${id}`, { body: { email: 'NEW@example.test' } })

  assert.deepEqual(
    { email: byNew.data.staff.email, error_code: byOld.error_code },
    { email: 'New@Example.test', error_code: 'auth.invalid_credentials' },
  )
  assert.deepEqual(
    { status: reused.status, email: sameAgain.data.email },
    { status: 201, email: 'NEW@example.test' },
  )
})

test('the list is paginated, searchable, sortable and filtered by role and status', async () => {
  const { store, me, as } = await buildAdministrator()
  const others = [
    await buildStaff(store, { role: 'sales', email: 'zoe@example.test' }),
    await buildStaff(store, { role: 'sales', email: 'adam_1@example.test' }),
    await buildStaff(store, { role: 'content', email: 'adam-1@example.test' }),
  ]
  await buildStaff(await buildStore(), { role: 'sales' })
  await as(`PATCH /admin/users/${others[0]?.id}`, { body: { is_active: false } })
  const emails = async (query: string) =>
    (await as(`GET /admin/users?${query}`)).data.map((user: { email: string }) => user.email)

  const { data, meta } = await as('GET /admin/users?page=2&page_size=3')

  assert.deepEqual(
    { dataCount: data.length, meta },
    { dataCount: 1, meta: { page: 2, page_size: 3, total: 4, total_pages: 2 } },
  )
  assert.deepEqual(await emails('role=sales'), ['zoe@example.test', 'adam_1@example.test'])
  assert.deepEqual(await emails('q=ADAM_'), ['adam_1@example.test'])
  assert.deepEqual(await emails('is_active=false'), ['zoe@example.test'])
  assert.deepEqual((await emails('sort=-email')).slice(0, 2), ['zoe@example.test', me.email])
  assert.equal((await as('GET /admin/users?colour=red')).status, 422)
})

test('a longer list needs the same number of queries', async () => {
  const { store, as } = await buildAdministrator()
  const short = await countQueries(() => as('GET /admin/users'))
  for (let i = 0; i < 5; i++) await buildStaff(store, { role: 'sales' })

  assert.equal(await countQueries(() => as('GET /admin/users')), short)
})

test('a change of role applies from the next request', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildStaff(store, { role: 'sales' })
  await buildRole(store, { name: 'people', rights: ['users:read'] })

  const { data } = await as(`PATCH /admin/users/${id}`, { body: { role: 'people', lastname: 'Murray' } })
  const asked = await request('GET /admin/users', { token })
  const lost = await request('GET /admin/orders', { token })

  assert.partialDeepStrictEqual(data, { role: 'people', firstname: 'Grace', lastname: 'Murray' })
  assert.deepEqual(
    { status: asked.status, error_code: lost.error_code },
    { status: 200, error_code: 'auth.forbidden' },
  )
})

test('deactivation closes the sessions; reactivation allows a new sign-in', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email, token, refreshToken } = await buildStaff(store, { role: 'sales' })

  await as(`PATCH /admin/users/${id}`, { body: { is_active: false } })
  const asked = await request('GET /admin/orders', { token })
  const refreshed = await request('POST /auth/refresh', { body: { refresh_token: refreshToken } })
  const refused = await signIn(email)
  await as(`PATCH /admin/users/${id}`, { body: { is_active: true } })
  const stillOut = await request('GET /admin/orders', { token })
  const back = await signIn(email)

  const closed = 'auth.session_revoked'
  assert.deepEqual(
    {
      asked_error_code: asked.error_code,
      refreshed_error_code: refreshed.error_code,
      refused_error_code: refused.error_code,
      stillOut_error_code: stillOut.error_code,
      status: back.status,
    },
    {
      asked_error_code: closed,
      refreshed_error_code: closed,
      refused_error_code: 'auth.invalid_credentials',
      stillOut_error_code: closed,
      status: 200,
    },
  )
})

test('removal closes the sessions and frees the address', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email, token } = await buildStaff(store, { role: 'sales' })

  const { status, data } = await as(`DELETE /admin/users/${id}`)
  const asked = await request('GET /admin/orders', { token })
  const again = await as(`DELETE /admin/users/${id}`)
  const entries = await db()('staff_directory').where({ staff_id: id })
  const reused = await as('POST /admin/users', { body: { ...newcomer(), email, password: PASSWORD } })

  assert.deepEqual(
    { status, data, error_code: asked.error_code, againStatus: again.status },
    { status: 200, data: null, error_code: 'auth.session_revoked', againStatus: 404 },
  )
  assert.deepEqual({ entries, status: reused.status }, { entries: [], status: 201 })
})

test('removal deletes the second factor and the recovery codes', async () => {
  const { store, as } = await buildAdministrator()
  const { id } = await buildStaff(store, { role: 'sales' })
  await buildTwoFactor(store, { type: 'staff', id })
  const kept = () =>
    inStore(store.id, async ({ knex }) => {
      const rows = ['two_factor', 'recovery_codes'].map((table) => knex(table).where({ account_id: id }))
      return (await Promise.all(rows)).flat().length
    })
  assert.equal(await kept(), 11)

  await as(`DELETE /admin/users/${id}`)

  assert.equal(await kept(), 0)
})

test('a revocation closes every session of the member and no other', async () => {
  const { store, me, as } = await buildAdministrator()
  const { id, email, token } = await buildStaff(store, { role: 'sales' })
  const second = (await signIn(email)).data.access_token

  const { status, data } = await as(`POST /admin/users/${id}/sessions/revoke`)
  const answers = [
    (await request('GET /admin/orders', { token })).status,
    (await request('GET /admin/orders', { token: second })).status,
    (await request('GET /admin/orders', { token: me.token })).status,
    (await signIn(email)).status,
  ]

  assert.deepEqual({ status, data, answers }, { status: 200, data: null, answers: [401, 401, 200, 200] })
})

test('a reset of the second factor closes the sessions and sends a mail', async () => {
  const { store, as } = await buildAdministrator()
  const member = await buildStaff(store, { role: 'sales' })
  await buildTwoFactor(store, { type: 'staff', id: member.id })
  const locked = await signIn(member.email)
  const path = `/admin/users/${member.id}/2fa/reset`

  const { status, data } = await as(`POST ${path}`)
  const again = await as(`POST ${path}`)
  await drainJobs()

  assert.deepEqual(
    { error_code: locked.error_code, status, data },
    { error_code: 'auth.totp_required', status: 200, data: null },
  )
  assert.equal((await request('GET /auth/me', { token: member.token })).error_code, 'auth.session_revoked')
  assert.equal((await signIn(member.email)).status, 200)
  assert.equal(again.error_code, 'auth.totp_not_enabled')
  assert.match(mailbox.mails(member.email)[0]?.subject ?? '', /^Two-factor sign-in .* is off$/)
})

test("a reset of one's own, the owner's or a more privileged member's second factor is refused", async () => {
  const { store, me, as } = await buildAdministrator()
  await buildRole(store, { name: 'people-lead', rights: ['users:read', 'users:write'] })
  const lead = await buildStaff(store, { role: 'people-lead' })
  const owner = await buildStaff(store, { role: 'owner' })
  for (const { id } of [me, owner]) await buildTwoFactor(store, { type: 'staff', id })
  const reset = ({ id }: { id: string }) => `POST /admin/users/${id}/2fa/reset`

  const refused = [
    await as(reset({ id: me.id.toUpperCase() })),
    await as(reset(owner)),
    await request(reset(owner), { token: owner.token }),
    await request(reset(me), { token: lead.token }),
  ]

  assert.deepEqual(
    refused.map(({ error_code }) => error_code),
    ['user.own_two_factor', 'user.owner_protected', 'user.own_two_factor', 'user.privilege_escalation'],
  )
})

test('a changed address sends a mail to the old address only', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email } = await buildStaff(store, { role: 'sales' })
  const next = newcomer().email

  await as(`PATCH /admin/users/${id}`, { body: { email: email.toUpperCase() } })
  await as(`PATCH /admin/users/${id}`, { body: { email: next } })
  await drainJobs()

  const mails = mailbox.mails(email)
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', new RegExp(`sign in to Store .* with ${next} from now on`))
  assert.deepEqual(mailbox.mails(next), [])
})

test("only the owner changes the owner's account; nobody deactivates, demotes or removes it", async () => {
  const { store, as } = await buildAdministrator()
  const owner = await buildStaff(store, { role: 'owner' })
  const path = `/admin/users/${owner.id}`
  const byOwner = (line: string, body?: object) =>
    request(line, { token: owner.token, ...(body ? { body } : {}) })

  const refused = [
    await as(`PATCH ${path}`, { body: { is_active: false } }),
    await as(`PATCH ${path}`, { body: { role: 'sales' } }),
    await as(`PATCH ${path}`, { body: { email: 'mine@example.test' } }),
    await as(`POST ${path}/sessions/revoke`),
    await as(`DELETE ${path}`),
    await byOwner(`PATCH ${path}`, { is_active: false }),
    await byOwner(`PATCH ${path}`, { role: 'administrator' }),
    await byOwner(`DELETE ${path}`),
  ]
  const renamed = await byOwner(`PATCH ${path}`, { firstname: 'Mary', role: 'owner' })

  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'user.owner_protected' })
  assert.deepEqual(
    { status: renamed.status, firstname: renamed.data.firstname, is_owner: renamed.data.is_owner },
    { status: 200, firstname: 'Mary', is_owner: true },
  )
})

test('the owner who is the only administrator cannot leave: 409 user.last_admin', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const path = `/admin/users/${owner.id}`
  const ask = (line: string, body?: object) =>
    request(line, { token: owner.token, ...(body ? { body } : {}) })

  const last = [
    await ask(`PATCH ${path}`, { is_active: false }),
    await ask(`PATCH ${path}`, { role: 'sales' }),
    await ask(`DELETE ${path}`),
  ]
  const promoted = await ask(`PATCH ${path}`, { role: 'administrator' })

  for (const { status, error_code } of last)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'user.last_admin' })
  assert.deepEqual(
    { status: promoted.status, error_code: promoted.error_code },
    { status: 403, error_code: 'user.owner_protected' },
  )
})

test('the owner role cannot be assigned', async () => {
  const { store, as } = await buildAdministrator('owner')
  const { id } = await buildStaff(store, { role: 'sales' })

  const created = await as('POST /admin/users', {
    body: { ...newcomer(), role: 'owner', password: PASSWORD },
  })
  const changed = await as(`PATCH /admin/users/${id}`, { body: { role: 'owner' } })

  assert.deepEqual(
    { created: created.error_code, changed: changed.error_code },
    { created: 'user.owner_protected', changed: 'user.owner_protected' },
  )
})

test('a role or account with rights that the caller lacks returns 403 user.privilege_escalation', async () => {
  const { store, me, as } = await buildAdministrator()
  await buildRole(store, {
    name: 'people',
    rights: ['users:read', 'users:write', 'catalog:read', 'catalog:write'],
  })
  const lead = await buildStaff(store, { role: 'people' })
  const clerk = await buildStaff(store, { role: 'catalog' })
  await buildStaff(store, { role: 'owner' })
  const byLead = (line: string, body: object) => request(line, { token: lead.token, body })

  const allowed = await byLead('POST /admin/users', { ...newcomer(), role: 'catalog', password: PASSWORD })
  const refused = [
    await byLead('POST /admin/users', { ...newcomer(), role: 'administrator', password: PASSWORD }),
    await byLead(`PATCH /admin/users/${clerk.id}`, { role: 'sales' }),
    await byLead(`PATCH /admin/users/${lead.id}`, { role: 'administrator' }),
    await byLead(`PATCH /admin/users/${me.id}`, { email: 'taken-over@example.test' }),
    await byLead(`PATCH /admin/users/${me.id}`, { role: 'catalog' }),
    await byLead(`PATCH /admin/users/${me.id}`, { is_active: false }),
    await request(`POST /admin/users/${me.id}/sessions/revoke`, { token: lead.token }),
    await request(`DELETE /admin/users/${me.id}`, { token: lead.token }),
  ]

  assert.equal(allowed.status, 201)
  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'user.privilege_escalation' })
  assert.equal((await as('GET /admin/users')).status, 200)
})

test('deactivation, demotion or removal of the last administrator returns 409 user.last_admin', async () => {
  const { store, me, as } = await buildAdministrator()
  const path = `/admin/users/${me.id}`
  const last = [
    await as(`PATCH ${path}`, { body: { is_active: false } }),
    await as(`PATCH ${path}`, { body: { role: 'sales' } }),
    await as(`DELETE ${path}`),
  ]
  await buildStaff(store, { role: 'administrator' })
  const left = await as(`DELETE ${path}`)

  for (const { status, error_code } of last)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'user.last_admin' })
  assert.equal(left.status, 200)
})

test('inactive administrators and those of another store do not count as administrators', async () => {
  const { store, me, as } = await buildAdministrator()
  await buildStaff(await buildStore(), { role: 'administrator' })
  const off = await buildStaff(store, { role: 'administrator' })
  await as(`PATCH /admin/users/${off.id}`, { body: { is_active: false } })

  assert.equal((await as(`DELETE /admin/users/${me.id}`)).error_code, 'user.last_admin')
  assert.equal((await as(`DELETE /admin/users/${off.id}`)).status, 200)
})

test("an unknown role returns 422 with the field's location", async () => {
  const { as, store } = await buildAdministrator()
  await buildRole(await buildStore(), { name: 'elsewhere', rights: [] })
  const { id } = await buildStaff(store, { role: 'sales' })

  for (const role of ['no-such', 'elsewhere', 'constructor', '']) {
    const { status, detail } = await as(`PATCH /admin/users/${id}`, { body: { role } })
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['body', 'role'] }, role)
  }
})

test('a change with an outdated ETag returns resource.changed', async () => {
  const { as, store } = await buildAdministrator()
  const { id } = await buildStaff(store, { role: 'sales' })
  const change = (firstname: string, etag: string | null) =>
    as(`PATCH /admin/users/${id}`, { body: { firstname }, headers: { 'If-Match': etag ?? '' } })

  const etag = (await as(`GET /admin/users/${id}`)).headers.get('etag')
  const [first, second] = [await change('Mary', etag), await change('Anna', etag)]

  assert.deepEqual(
    { status: first.status, error_code: second.error_code },
    { status: 200, error_code: 'resource.changed' },
  )
})

test("an unknown member and another store's member return 404", async () => {
  const { as } = await buildAdministrator()
  const other = await buildStaff(await buildStore(), { role: 'sales' })

  for (const id of [other.id, newId()]) {
    const answers = [
      await as(`GET /admin/users/${id}`),
      await as(`PATCH /admin/users/${id}`, { body: { firstname: 'Mary' } }),
      await as(`POST /admin/users/${id}/sessions/revoke`),
      await as(`DELETE /admin/users/${id}`),
    ]
    for (const { status, error_code } of answers)
      assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  }
  assert.equal((await request('GET /admin/orders', { token: other.token })).status, 200)
})

test("an invalid body returns 422 with the field's location", async () => {
  const { as } = await buildAdministrator()
  const body = { ...newcomer(), password: 'short', email: 'nobody', firstname: ' ', is_owner: true }

  const { status, detail } = await as('POST /admin/users', { body })

  const faults = detail.map(({ loc }: { loc: string[] }) => loc[1])
  assert.equal(status, 422)
  assert.deepEqual(faults.sort(), ['email', 'firstname', 'is_owner', 'password'])
})

test('a request with a password and an Idempotency-Key stores no response', async () => {
  const { as, store } = await buildAdministrator()
  await as('POST /admin/users', { key: 'once', body: { ...newcomer(), password: PASSWORD } })

  const kept = await inStore(store.id, (tx) => tx.knex('idempotency_keys').select('key'))
  assert.deepEqual(kept, [])
})
