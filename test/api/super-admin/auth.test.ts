import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/clock.ts'
import { db } from '#shared/platform/db.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { moveClock } from '#test/support/clock.ts'

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
  assert.deepEqual((await me(data.access_token)).data, { id, email })
})

test('the common sign-in, refresh and sign-out do as well, where no store is named', async () => {
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

test('a wrong password and an unknown address are told the same', async () => {
  const { email } = await buildSuperAdmin()
  const login = (body: object) => request('POST /super-admin/auth/login', { body })

  const wrong = await login({ email, password: 'not this one' })
  const unknown = await login({ email: 'nobody@example.test', password: PASSWORD })

  assert.equal(wrong.error_code, 'auth.invalid_credentials')
  assert.deepEqual([wrong.status, wrong.error], [unknown.status, unknown.error])
})

test('a super-admin who was switched off is out at once', async () => {
  const { id, email, token, refreshToken } = await buildSuperAdmin()

  await db()('super_admins').where({ id }).update({ is_active: false })

  assert.equal((await me(token)).error_code, 'auth.session_revoked')
  assert.equal((await refresh(refreshToken)).error_code, 'auth.session_revoked')
  const again = await request('POST /super-admin/auth/login', { body: { email, password: PASSWORD } })
  assert.equal(again.error_code, 'auth.invalid_credentials')
})

test('no other token opens the super-admin area, and a super-admin opens no other', async () => {
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

test('a publishable key is refused', async () => {
  const store = await buildStore()
  const { token } = await buildSuperAdmin()

  const refused = await request('GET /super-admin/auth/me', { token, store })

  assert.equal(refused.error_code, 'auth.publishable_key_forbidden')
})

test('refreshing gives a new pair; for a minute the old token gives the same one', async () => {
  const { refreshToken } = await buildSuperAdmin()

  const first = await refresh(refreshToken)
  const again = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))

  assert.equal(first.status, 200)
  assert.equal((await me(first.data.access_token)).status, 200)
  for (const { data } of again) assert.equal(data.refresh_token, first.data.refresh_token)
})

test('after a minute a superseded token closes the session', async () => {
  const { refreshToken } = await buildSuperAdmin()
  const { data } = await refresh(refreshToken)

  moveClock(MINUTE_MS + SECOND_MS)

  assert.equal((await refresh(refreshToken)).error_code, 'auth.refresh_token_reused')
  assert.equal((await refresh(data.refresh_token)).error_code, 'auth.session_revoked')
  assert.equal((await me(data.access_token)).error_code, 'auth.session_revoked')
})

test('an access token lives for 15 minutes, a session half a day without use', async () => {
  const { token, refreshToken } = await buildSuperAdmin()

  moveClock(15 * MINUTE_MS + SECOND_MS)
  assert.equal((await me(token)).error_code, 'auth.token_expired')
  moveClock(12 * 60 * MINUTE_MS + SECOND_MS)
  assert.equal((await refresh(refreshToken)).error_code, 'auth.refresh_token_invalid')
})

test('signing out closes the session, or all of them', async () => {
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
