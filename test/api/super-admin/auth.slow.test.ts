import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { completeSignIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { db } from '#shared/platform/db/db.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { buildCustomer, buildStaff, hashAtLessCost, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const me = (token: string) => request('GET /super-admin/auth/me', { token })
const refresh = (refresh_token: string) =>
  request('POST /super-admin/auth/refresh', { body: { refresh_token } })

test('a super-admin signs in with a password', async () => {
  const { email, id } = await buildSuperAdmin()

  const { status, data, headers } = await request('POST /super-admin/auth/login', {
    body: { email: email.toUpperCase(), password: PASSWORD },
  })

  assert.equal(status, 200)
  assert.equal(headers.get('Cache-Control'), 'no-store')
  assert.deepEqual(data.super_admin, { id, email })
  assert.equal(data.expires_in, 900)
  const profile = { id, email, two_factor_enabled: false, recovery_codes_remaining: 0 }
  assert.deepEqual((await me(data.access_token)).data, profile)
})

test('POST /auth/login, refresh and logout work for a super-admin when no store is named', async () => {
  const { email, id } = await buildSuperAdmin()
  const store = await buildStore()
  const body = { email, password: PASSWORD }

  const login = await request('POST /auth/login', { body })
  assert.deepEqual(login.data.super_admin, { id, email })
  const next = await request('POST /auth/refresh', { body: { refresh_token: login.data.refresh_token } })
  assert.equal((await me(next.data.access_token)).status, 200)
  await request('POST /auth/logout', { body: { refresh_token: next.data.refresh_token } })
  assert.equal((await me(next.data.access_token)).error_code, 'auth.session_revoked')

  for (const account of ['staff', 'customer']) {
    const named = await request('POST /auth/login', { store, body: { ...body, account } })
    assert.equal(named.error_code, 'auth.invalid_credentials')
  }
})

test('POST /auth/logout with all=true closes all sessions of a super-admin, and the log of the platform shows it', async () => {
  const { id, token, refreshToken } = await buildSuperAdmin()

  const { status } = await request('POST /auth/logout?all=true', { body: { refresh_token: refreshToken } })

  assert.equal(status, 200)
  assert.equal((await me(token)).error_code, 'auth.session_revoked')
  const entries = await db()('platform_audit_entries').where('actor_id', id)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['postAuthLogout'],
  )
})

test('a sign-in rehashes a password stored at a lower cost', async () => {
  const { email, id } = await buildSuperAdmin()
  const row = () => db()('super_admins').where({ id })
  await row().update({ password_hash: hashAtLessCost(PASSWORD) })
  const signIn = () => request('POST /super-admin/auth/login', { body: { email, password: PASSWORD } })

  const answers = await Promise.all([signIn(), signIn(), signIn()])

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.match((await row().first('password_hash')).password_hash, /m=19456,t=3,p=1/)
})

test('a wrong password and an unknown address return the same error', async () => {
  const { email } = await buildSuperAdmin()
  const login = (body: object) => request('POST /super-admin/auth/login', { body })

  const wrong = await login({ email, password: 'not this one' })
  const unknown = await login({ email: 'nobody@example.test', password: PASSWORD })

  assert.equal(wrong.error_code, 'auth.invalid_credentials')
  assert.deepEqual(
    { status: wrong.status, error: wrong.error },
    { status: unknown.status, error: unknown.error },
  )
})

test('deactivating a super-admin revokes the sessions immediately', async () => {
  const { id, email, token, refreshToken } = await buildSuperAdmin()

  await db()('super_admins').where({ id }).update({ is_active: false })

  assert.equal((await me(token)).error_code, 'auth.session_revoked')
  assert.equal((await refresh(refreshToken)).error_code, 'auth.session_revoked')
  const again = await request('POST /super-admin/auth/login', { body: { email, password: PASSWORD } })
  assert.equal(again.error_code, 'auth.invalid_credentials')
})

test('tokens of staff and customers fail in the super-admin API, and super-admin tokens fail elsewhere', async () => {
  const store = await buildStore()
  const root = await buildSuperAdmin()
  const staff = await buildStaff(store, { role: 'owner' })
  const customer = await buildCustomer(store)

  for (const { token } of [staff, customer]) assert.equal((await me(token)).status, 401)
  assert.equal((await request('GET /super-admin/auth/me')).error_code, 'auth.not_authenticated')
  assert.equal(
    (await request('GET /admin/webhooks', { token: root.token })).error_code,
    'auth.not_authenticated',
  )
  assert.equal(
    (await request('GET /auth/me', { token: root.token, store })).error_code,
    'auth.not_authenticated',
  )
  const inStore = await request('POST /auth/refresh', { store, body: { refresh_token: root.refreshToken } })
  assert.equal(inStore.error_code, 'auth.refresh_token_invalid')
  assert.equal((await refresh(staff.refreshToken)).error_code, 'auth.refresh_token_invalid')
})

test('a request with a publishable key returns auth.publishable_key_forbidden', async () => {
  const store = await buildStore()
  const { token } = await buildSuperAdmin()

  const refused = await request('GET /super-admin/auth/me', { token, store })

  assert.equal(refused.error_code, 'auth.publishable_key_forbidden')
})

test('a refresh returns new tokens; the old token returns the same ones for a minute', async () => {
  const { refreshToken } = await buildSuperAdmin()

  const first = await refresh(refreshToken)
  const again = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))

  assert.equal(first.status, 200)
  assert.equal((await me(first.data.access_token)).status, 200)
  for (const { data } of again) assert.equal(data.refresh_token, first.data.refresh_token)
})

test('a superseded refresh token used after a minute closes the session', async () => {
  const { refreshToken } = await buildSuperAdmin()
  const { data } = await refresh(refreshToken)

  moveClock(MINUTE_MS + SECOND_MS)

  assert.equal((await refresh(refreshToken)).error_code, 'auth.refresh_token_reused')
  assert.equal((await refresh(data.refresh_token)).error_code, 'auth.session_revoked')
  assert.equal((await me(data.access_token)).error_code, 'auth.session_revoked')
})

test('an access token expires after 15 minutes, an unused session after 12 hours', async () => {
  const { token, refreshToken } = await buildSuperAdmin()

  moveClock(15 * MINUTE_MS + SECOND_MS)
  assert.equal((await me(token)).error_code, 'auth.token_expired')
  moveClock(12 * 60 * MINUTE_MS + SECOND_MS)
  assert.equal((await refresh(refreshToken)).error_code, 'auth.refresh_token_invalid')
})

test('a session in use expires after 90 days', async () => {
  const { refreshToken } = await buildSuperAdmin()
  const lastHour = new Date(Date.now() - 90 * DAY_MS + 60 * MINUTE_MS)
  await db()('super_admin_sessions').update({ created_at: lastHour })

  const { data } = await refresh(refreshToken)
  moveClock(60 * MINUTE_MS + SECOND_MS)

  assert.equal((await refresh(data.refresh_token)).error_code, 'auth.refresh_token_invalid')
})

test('a sign-out closes one session; all=true closes all', async () => {
  const one = await buildSuperAdmin()
  const login = () =>
    request('POST /super-admin/auth/login', { body: { email: one.email, password: PASSWORD } })
  const two = (await login()).data
  const logout = (query: string, refresh_token: string) =>
    request(`POST /super-admin/auth/logout${query}`, { body: { refresh_token } })

  await logout('', one.refreshToken)
  assert.equal((await me(one.token)).error_code, 'auth.session_revoked')
  assert.equal((await me(two.access_token)).status, 200)

  const three = (await login()).data
  await logout('?all=true', three.refresh_token)
  assert.equal((await me(two.access_token)).error_code, 'auth.session_revoked')
  assert.equal((await logout('', 'cx_rt_nonsense')).error_code, 'auth.refresh_token_invalid')
})

test('all=true requires a current refresh token; a superseded one returns auth.refresh_token_invalid', async () => {
  const { refreshToken } = await buildSuperAdmin()
  const everywhere = (refresh_token: string) =>
    request('POST /super-admin/auth/logout?all=true', { body: { refresh_token } })
  const { data } = await refresh(refreshToken)

  moveClock(MINUTE_MS + SECOND_MS)
  assert.equal((await everywhere(refreshToken)).error_code, 'auth.refresh_token_invalid')
  assert.equal((await me(data.access_token)).status, 200)
  assert.equal((await everywhere(data.refresh_token)).status, 200)
  assert.equal((await everywhere(data.refresh_token)).error_code, 'auth.session_revoked')
})

/** Returns the latest mail sent to an address. */
async function lastMail(email: string) {
  await drainJobs()
  return mailbox.mails(email)[0]
}

test('a sign-in from an unknown device sends a mail; one from a known device does not', async () => {
  const { email } = await buildSuperAdmin()
  const login = (userAgent: string) =>
    request('POST /super-admin/auth/login', {
      body: { email, password: PASSWORD },
      headers: { 'User-Agent': userAgent },
    })

  await login('test')
  assert.equal(await lastMail(email), undefined)
  await login('Elsewhere <1>')
  await login('Elsewhere <2>')

  const mail = await lastMail(email)
  assert.equal(mailbox.mails(email).length, 1)
  assert.equal(mail?.subject, 'New sign-in to your account at 127.0.0.1')
  assert.match(mail?.text ?? '', /Internet address: 127\.0\.0\.1\nDevice: Elsewhere <1>/)
})

const changePassword = (token: string, body: object) =>
  request('POST /super-admin/auth/password', { token, body })

test('a password change requires the current password and closes all other sessions', async () => {
  const { id, email, token } = await buildSuperAdmin()
  const login = (password: string) => request('POST /super-admin/auth/login', { body: { email, password } })
  const other = (await login(PASSWORD)).data
  const change = (current_password: string) =>
    changePassword(token, { current_password, password: 'staple by staple' })

  const guessed = await change('a guess')
  const changed = await change(PASSWORD)

  assert.partialDeepStrictEqual(guessed, { status: 401, error_code: 'auth.invalid_credentials' })
  assert.partialDeepStrictEqual(changed, { status: 200, data: null })
  assert.equal((await me(token)).status, 200)
  assert.equal((await me(other.access_token)).error_code, 'auth.session_revoked')
  assert.equal((await refresh(other.refresh_token)).error_code, 'auth.session_revoked')
  assert.equal((await login(PASSWORD)).status, 401)
  assert.equal((await login('staple by staple')).status, 200)
  assert.deepEqual(await entriesOf(id), [{ action: 'postSuperAdminAuthPassword', after: null }])
  assert.equal((await lastMail(email))?.subject, 'Your password at 127.0.0.1 was changed')
})

test('a password of fewer than twelve characters returns 422', async () => {
  const { token } = await buildSuperAdmin()

  const short = await changePassword(token, { current_password: PASSWORD, password: 'eleven char' })

  assert.equal(short.status, 422)
  assert.deepEqual(short.detail[0].loc, ['body', 'password'])
})

test('a password changed during the sign-in returns auth.invalid_credentials', async () => {
  const { id, email } = await buildSuperAdmin()
  const { found } = await findCredentialsToSignIn('super_admin', null, email)
  assert.ok(found)

  await db()('super_admins')
    .where({ id })
    .update({ password_hash: await hashPassword('another one') })

  const device = { ip: null, userAgent: null }
  await assert.rejects(
    inScope(null, (tx) => completeSignIn(tx, found, device)),
    { code: 'auth.invalid_credentials' },
  )
})

/** Returns action and outcome of a super-admin's entries in the platform log. */
const entriesOf = async (actor_id: string): Promise<{ action: string; after: unknown }[]> => {
  const rows = await db()('platform_audit_entries').where({ actor_id }).orderBy('sequence')
  return rows.map(({ action, after }) => ({ action, after }))
}

async function buildTwoSessions() {
  const root = await buildSuperAdmin()
  const body = { email: root.email, password: PASSWORD }
  const { data } = await request('POST /super-admin/auth/login', { body, headers: { 'User-Agent': 'Phone' } })
  const { data: listed } = await request('GET /super-admin/auth/sessions', { token: root.token })
  return { root, second: data, listed }
}
const close = (token: string, id: string) => request(`DELETE /super-admin/auth/sessions/${id}`, { token })

test('the list shows open sessions by last use and marks the current one', async () => {
  const { root, listed } = await buildTwoSessions()

  assert.deepEqual(
    listed.map(({ current, user_agent, ip }: Record<string, unknown>) => ({ current, user_agent, ip })),
    [
      { current: false, user_agent: 'Phone', ip: '127.0.0.1' },
      { current: true, user_agent: 'test', ip: '127.0.0.1' },
    ],
  )

  moveClock(SECOND_MS)
  await request('POST /super-admin/auth/refresh', {
    body: { refresh_token: root.refreshToken },
    headers: { 'User-Agent': 'Laptop' },
  })
  const { data } = await request('GET /super-admin/auth/sessions', { token: root.token })
  assert.partialDeepStrictEqual(data[0], { current: true, user_agent: 'Laptop' }, 'a refresh counts as use')
  assert.ok(data[0].last_used_at > data[0].created_at)
})

test('closing a session removes it from the list and revokes its tokens', async () => {
  const { root, second, listed } = await buildTwoSessions()
  const { id } = listed[0]

  const closed = await close(root.token, id)

  assert.partialDeepStrictEqual(closed, { status: 200, data: null })
  assert.equal((await me(second.access_token)).error_code, 'auth.session_revoked')
  assert.equal((await refresh(second.refresh_token)).error_code, 'auth.session_revoked')
  assert.equal((await request('GET /super-admin/auth/sessions', { token: root.token })).data.length, 1)
  assert.equal((await close(root.token, id)).error_code, 'resource.not_found')
  assert.deepEqual(await entriesOf(root.id), [
    { action: 'deleteSuperAdminAuthSessionsSessionId', after: null },
  ])
})

test("another super-admin's session is not listed, and closing it returns resource.not_found", async () => {
  const { root, second, listed } = await buildTwoSessions()
  const other = await buildSuperAdmin()

  assert.equal((await close(other.token, listed[0].id)).error_code, 'resource.not_found')
  assert.equal((await request('GET /super-admin/auth/sessions', { token: other.token })).data.length, 1)
  assert.equal((await me(second.access_token)).status, 200)
  assert.deepEqual(await entriesOf(other.id), [], 'a refused request leaves no entry')
  assert.equal((await close(root.token, 'x')).status, 422)
})

test('an expired session is not listed, and closing it returns 404', async () => {
  const { root, listed } = await buildTwoSessions()

  moveClock(12 * 60 * MINUTE_MS + SECOND_MS)
  const { data } = await request('POST /super-admin/auth/login', {
    body: { email: root.email, password: PASSWORD },
  })

  const now = await request('GET /super-admin/auth/sessions', { token: data.access_token })
  assert.deepEqual(
    now.data.map(({ current }: { current: boolean }) => current),
    [true],
  )
  assert.equal((await close(data.access_token, listed[0].id)).status, 404)
})

test('at the command line a different address that the database compares as equal returns auth.email_taken', async () => {
  const name = `ops-${nextNumber()}`
  const [email, other] = [`${name}@strasse.example`, `${name}@straße.example`]
  await upsertSuperAdmin({ email, password: 'by the command line' })

  const refused = upsertSuperAdmin({ email: other, password: 'of somebody else' })

  await assert.rejects(refused, { code: 'auth.email_taken' })
  const body = { email, password: 'by the command line' }
  assert.equal((await request('POST /super-admin/auth/login', { body })).status, 200)
})

test('at the command line a new password closes all sessions; an unknown address creates a super-admin', async () => {
  const { id, email, token } = await buildSuperAdmin()
  const unknown = `Root-${nextNumber()}@example.test`

  await upsertSuperAdmin({ email, password: 'by the command line' })
  await upsertSuperAdmin({ email: unknown, password: 'by the command line' })

  assert.match((await lastMail(email))?.text ?? '', /password .* was changed.*Device: command line/s)
  assert.equal(await lastMail(unknown), undefined, 'a new super-admin gets no mail')
  assert.equal((await me(token)).error_code, 'auth.session_revoked')
  for (const one of [email, unknown.toLowerCase()]) {
    const body = { email: one, password: 'by the command line' }
    assert.equal((await request('POST /super-admin/auth/login', { body })).status, 200)
  }
  assert.deepEqual(await entriesOf(id), [{ action: 'upsertSuperAdmin', after: null }])
})
