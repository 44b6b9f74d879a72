import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor, codeOf } from '#test/support/builders/two-factor.ts'
import { request } from '#test/support/processes/app.ts'

const NEW = 'staple by staple'
const phone = { 'User-Agent': 'Phone' }

interface Asked {
  store?: BuiltStore
  token: string
}

const read = (caller: Asked, query = '') => request(`GET /auth/activity${query}`, caller)

async function eventKindsOf(caller: Asked): Promise<string[]> {
  const { data } = await read(caller)
  return data.map(({ kind }: { kind: string }) => kind)
}

test('a sign-in from a new device is listed with the device and the time', async () => {
  const store = await buildStore()
  const { email, token } = await buildCustomer(store)
  const signIn = (headers: Record<string, string>) =>
    request('POST /auth/login', { store, body: { email, password: PASSWORD }, headers })

  await signIn({ 'User-Agent': 'test' })
  await signIn(phone)
  await signIn(phone)

  const { status, data, meta } = await read({ store, token })
  assert.deepEqual(
    { status, total: meta.total },
    { status: 200, total: 1 },
    'a known device records no event',
  )
  const { id: _, session_id: opened, created_at: at, ...rest } = data[0]
  const sessions = (await request('GET /auth/sessions', { store, token })).data
  assert.ok(
    sessions.some(({ id }: { id: string }) => id === opened),
    'the session id is in the list of sessions',
  )
  assert.ok(Date.now() - Date.parse(at) < MINUTE_MS)
  assert.deepEqual(rest, {
    kind: 'signed_in_from_new_device',
    ip: '127.0.0.1',
    user_agent: 'Phone',
  })
})

test("the list shows a customer's security events, latest first", async () => {
  const store = await buildStore()
  const { email, token } = await buildCustomer(store)
  const caller = { store, token }
  const act = async (line: string, body: object) =>
    (await request(line, { ...caller, body: { current_password: PASSWORD, ...body } })).data
  const other = { store, body: { email, password: PASSWORD } }
  const sessionOf = async () => (await request('GET /auth/sessions', caller)).data[0].id

  const { secret } = await act('POST /auth/2fa/setup', {})
  const { recovery_codes: codes } = await act('POST /auth/2fa/enable', { totp_code: codeOf(secret) })
  await request('POST /auth/login', { ...other, body: { ...other.body, recovery_code: codes[0] } })
  const closed = await sessionOf()
  await request(`DELETE /auth/sessions/${closed}`, caller)
  const renewed = await act('POST /auth/2fa/recovery-codes', { recovery_code: codes[1] })
  await act('POST /auth/2fa/disable', { recovery_code: renewed.recovery_codes[0] })
  await act('POST /auth/password', { password: NEW })

  const { data } = await read(caller)
  assert.deepEqual(
    data.map(({ kind }: { kind: string }) => kind),
    [
      'password_changed',
      'two_factor_disabled',
      'recovery_codes_renewed',
      'session_closed',
      'signed_in_from_new_device',
      'recovery_code_used',
      'two_factor_enabled',
    ],
  )
  assert.equal(data[3].session_id, closed)
})

test("staff see their own events and an administrator's changes to their account", async () => {
  const store = await buildStore()
  const admin = await buildStaff(store, { role: 'administrator' })
  const { id, email } = await buildStaff(store, { role: 'sales' })
  await buildTwoFactor(store, { type: 'staff', id })
  const moved = { email: `moved.${email}` }
  const signInAgain = async () =>
    (await request('POST /auth/login', { body: { ...moved, password: PASSWORD }, headers: phone })).data

  await request(`POST /admin/users/${id}/2fa/reset`, { token: admin.token })
  await request(`POST /admin/users/${id}/sessions/revoke`, { token: admin.token })
  await request(`PATCH /admin/users/${id}`, { token: admin.token, body: moved })
  const { refresh_token } = await signInAgain()
  await request('POST /auth/logout?all=true', { body: { refresh_token } })

  assert.deepEqual(await eventKindsOf({ token: (await signInAgain()).access_token }), [
    'signed_out_everywhere',
    'signed_in_from_new_device',
    'email_changed',
    'sessions_revoked',
    'two_factor_reset',
  ])
  assert.deepEqual(await eventKindsOf({ token: admin.token }), [])
})

test('a refused change records no event', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const body = { current_password: 'wrong', password: NEW }

  await request('POST /auth/password', { store, token, body })

  assert.deepEqual(await eventKindsOf({ store, token }), [])
})

test('the list is paginated and shows no events of another account or account type', async () => {
  const store = await buildStore()
  const [ada, grace] = [await buildCustomer(store), await buildCustomer(store)]
  const recordFor = (type: 'customer' | 'staff', id: string) =>
    inStore(store.id, (tx) =>
      recordSecurityEvent(tx, 'email_changed', { type, id }, { ip: null, userAgent: null }),
    )
  for (let i = 0; i < 3; i++) await recordFor('customer', ada.id)
  await recordFor('staff', ada.id)

  const last = await read({ store, token: ada.token }, '?page=2&page_size=2')

  assert.deepEqual(
    { dataCount: last.data.length, total: last.meta.total, total_pages: last.meta.total_pages },
    { dataCount: 1, total: 3, total_pages: 2 },
  )
  assert.deepEqual(await eventKindsOf({ store, token: grace.token }), [])
  assert.equal((await read({ store, token: ada.token }, '?kind=email_changed')).status, 422)
  assert.equal((await request('GET /auth/activity', { store })).error_code, 'auth.not_authenticated')
})
