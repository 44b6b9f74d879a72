import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import {
  type BuiltTwoFactor,
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
  STEP_MS,
  wrongCode,
} from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const required = { status: 401, error_code: 'auth.totp_required' }
const invalid = { status: 401, error_code: 'auth.totp_invalid' }
const done = { status: 200, error_code: null }

beforeEach(() => mailbox.clear())

interface Protected extends BuiltTwoFactor {
  store?: BuiltStore
  account: BuiltAccount
}

async function buildProtectedCustomer(): Promise<Protected> {
  const store = await buildStore()
  const account = await buildCustomer(store)
  return { store, account, ...(await buildTwoFactor(store, { type: 'customer', id: account.id })) }
}

async function buildProtectedOwner() {
  const store = await buildStore()
  const account = await buildStaff(store, { role: 'owner' })
  const heir = await buildStaff(store, { role: 'administrator' })
  return { account, heir, ...(await buildTwoFactor(store, { type: 'staff', id: account.id })) }
}

async function buildProtectedMember(): Promise<Protected> {
  const store = await buildStore()
  const account = await buildStaff(store, { role: 'sales' })
  return { account, ...(await buildTwoFactor(store, { type: 'staff', id: account.id })) }
}

async function buildProtectedRoot(): Promise<Protected> {
  const account = await buildSuperAdmin()
  return { account, ...(await buildSuperAdminTwoFactor(account)) }
}

const newEmail = () => `moved-${nextNumber()}@example.test`
const change = ({ store, account }: Protected, path: string, body: object): Promise<ApiResponse> =>
  request(`POST ${path}`, {
    ...(store ? { store } : {}),
    token: account.token,
    body: { current_password: PASSWORD, ...body },
  })

const password = 'staple by staple'
const CHANGES: [title: string, build: () => Promise<Protected>, path: string, body: () => object][] = [
  [
    'a customer who changes the address',
    buildProtectedCustomer,
    '/auth/email',
    () => ({ email: newEmail() }),
  ],
  ['a customer who changes the password', buildProtectedCustomer, '/auth/password', () => ({ password })],
  ['a customer who deletes the account', buildProtectedCustomer, '/auth/me/delete', () => ({})],
  ['a staff member who leaves the store', buildProtectedMember, '/auth/me/delete', () => ({})],
  ['an owner who changes the address', buildProtectedOwner, '/auth/email', () => ({ email: newEmail() })],
  ['an owner who changes the password', buildProtectedOwner, '/auth/password', () => ({ password })],
  [
    'a super-admin who changes the password',
    buildProtectedRoot,
    '/super-admin/auth/password',
    () => ({ password }),
  ],
]

for (const [title, build, path, body] of CHANGES)
  test(`${title} needs the second factor of the account`, async () => {
    const caller = await build()
    const given = body()

    const without = await change(caller, path, given)
    const wrong = await change(caller, path, { ...given, totp_code: wrongCode(caller.secret) })
    moveClock(STEP_MS)
    const right = await change(caller, path, { ...given, totp_code: codeOf(caller.secret) })

    assert.deepEqual(outcomeOf(without), required)
    assert.deepEqual(outcomeOf(wrong), invalid)
    assert.deepEqual(outcomeOf(right), done)
  })

test('an owner who transfers the store needs the second factor of the account', async () => {
  const caller = await buildProtectedOwner()
  const body = { user_id: caller.heir.id }

  const without = await change(caller, '/admin/owner/transfer', body)
  const wrong = await change(caller, '/admin/owner/transfer', {
    ...body,
    totp_code: wrongCode(caller.secret),
  })
  const right = await change(caller, '/admin/owner/transfer', {
    ...body,
    recovery_code: caller.recoveryCodes[0],
  })

  assert.deepEqual(outcomeOf(without), required)
  assert.deepEqual(outcomeOf(wrong), invalid)
  assert.deepEqual(outcomeOf(right), done)
})

test('a change without the second factor sends no mail and keeps the password', async () => {
  const caller = await buildProtectedCustomer()
  const email = newEmail()

  await change(caller, '/auth/email', { email })
  await change(caller, '/auth/password', { password })
  await drainJobs()

  assert.deepEqual([...mailbox.mails(email), ...mailbox.mails(caller.account.email)], [])
  const body = { email: caller.account.email, password: PASSWORD, recovery_code: caller.recoveryCodes[0] }
  assert.equal((await request('POST /auth/login', { ...caller, body })).status, 200)
})

test('a change that fails uses up no recovery code', async () => {
  const caller = await buildProtectedCustomer()
  const [recovery_code] = caller.recoveryCodes

  const same = await change(caller, '/auth/email', { email: caller.account.email, recovery_code })
  const other = await change(caller, '/auth/email', { email: newEmail(), recovery_code })

  assert.equal(same.status, 422)
  assert.equal(other.status, 200)
})

test('switching two-factor sign-in on voids a link that was requested without it', async () => {
  const store = await buildStore()
  const account = await buildCustomer(store)
  const caller = { store, account, secret: '', recoveryCodes: [] }
  const email = newEmail()
  await change(caller, '/auth/email', { email })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)

  const { data } = await change(caller, '/auth/2fa/setup', {})
  const enabled = await change(caller, '/auth/2fa/enable', { totp_code: codeOf(data.secret) })
  const body = { token: tokenIn(mail) }
  const confirmed = await request('POST /auth/email/confirm', { store, token: account.token, body })

  assert.equal(enabled.status, 200)
  assert.deepEqual(outcomeOf(confirmed), { status: 400, error_code: 'auth.link_invalid' })
})
