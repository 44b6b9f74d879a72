import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inPlatform, inStore, type PlatformTx } from '#shared/platform/db/store-scope.ts'
import { setStaffEmail } from '#shared/staff/staff-email.ts'
import { upsertSuperAdmin, writeSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { buildRole, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildAdministrator, newcomer, signIn } from '#test/support/builders/administrator.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

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
  const superAdmin = (email: string) => (tx: PlatformTx) =>
    writeSuperAdmin(tx, { email, passwordHash: 'none' })

  const kept = await pending<PlatformTx>(inPlatform, superAdmin(draft.email))
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

test('a changed address sends a mail to the old and to the new address', async () => {
  const { store, as } = await buildAdministrator()
  const { id, email } = await buildStaff(store, { role: 'sales' })
  const next = newcomer().email

  await as(`PATCH /admin/users/${id}`, { body: { email: email.toUpperCase() } })
  await as(`PATCH /admin/users/${id}`, { body: { email: next } })
  await drainJobs()

  const [toOld, toNew] = [mailbox.mails(email), mailbox.mails(next)]
  assert.deepEqual({ old: toOld.length, new: toNew.length }, { old: 1, new: 1 })
  assert.match(toOld[0]?.text ?? '', new RegExp(`sign in to Store .* with ${next} from now on`))
  assert.match(toNew[0]?.subject ?? '', /^You are on the staff of Store /)
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
