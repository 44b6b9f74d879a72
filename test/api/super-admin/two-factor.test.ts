import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { resetTwoFactor } from '#shared/super-admin/reset-two-factor.ts'
import { type BuiltAccount, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildSuperAdminTwoFactor, codeOf, STEP_MS, wrongCode } from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

// test/api/identity/two-factor.test.ts covers the rules shared with staff and customers.

const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const required = { status: 401, error_code: 'auth.totp_required' }
const invalid = { status: 401, error_code: 'auth.totp_invalid' }

const call = (step: string, { token }: BuiltAccount, body: object = {}) =>
  request(`POST /super-admin/auth/2fa/${step}`, { token, body: { current_password: PASSWORD, ...body } })

const login = ({ email, password }: BuiltAccount, proof: object = {}) =>
  request('POST /super-admin/auth/login', { body: { email, password, ...proof } })

const me = async ({ token }: { token: string }) => {
  const { data } = await request('GET /super-admin/auth/me', { token })
  return { enabled: data.two_factor_enabled, codes: data.recovery_codes_remaining }
}

async function buildProtected() {
  const root = await buildSuperAdmin()
  return { root, ...(await buildSuperAdminTwoFactor(root)) }
}

test('after setup and enable, a sign-in requires an unused code', async () => {
  const root = await buildSuperAdmin()

  const setup = await call('setup', root)
  const { secret, otpauth_uri, qr_svg } = setup.data
  const before = await login(root)
  const enabled = await call('enable', root, { totp_code: codeOf(secret) })
  const without = await login(root)
  const same = await login(root, { totp_code: codeOf(secret) })
  moveClock(STEP_MS)
  const withCode = await login(root, { totp_code: codeOf(secret) })

  for (const { headers } of [setup, enabled]) assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(otpauth_uri, /^otpauth:\/\/totp\/127\.0\.0\.1:root-.*secret=/)
  assert.match(qr_svg, /^<svg /)
  assert.equal(before.status, 200, 'setup alone requires no code')
  assert.equal(new Set(enabled.data.recovery_codes).size, 10)
  assert.deepEqual(await me(root), { enabled: true, codes: 10 })
  assert.deepEqual(outcomeOf(without), required)
  assert.deepEqual(outcomeOf(same), invalid, 'the code sent to enable is used')
  assert.equal(withCode.status, 200)
})

test('a wrong code does not enable the second factor', async () => {
  const root = await buildSuperAdmin()
  const { secret } = (await call('setup', root)).data

  const refused = await call('enable', root, { totp_code: wrongCode(secret) })

  assert.deepEqual(outcomeOf(refused), invalid)
  assert.deepEqual(await me(root), { enabled: false, codes: 0 })
  assert.equal((await login(root)).status, 200)
})

test('POST /auth/login requires the second factor too', async () => {
  const { root, secret, recoveryCodes } = await buildProtected()
  const signIn = (proof: object) =>
    request('POST /auth/login', { body: { email: root.email, password: PASSWORD, ...proof } })
  moveClock(STEP_MS)

  assert.deepEqual(outcomeOf(await signIn({})), required)
  assert.deepEqual(outcomeOf(await signIn({ totp_code: wrongCode(secret) })), invalid)
  assert.equal((await signIn({ totp_code: codeOf(secret) })).data.super_admin.id, root.id)
  assert.deepEqual(outcomeOf(await signIn({ totp_code: codeOf(secret) })), invalid)
  assert.equal((await signIn({ recovery_code: recoveryCodes[0] })).data.super_admin.id, root.id)
})

test('a wrong password returns auth.invalid_credentials without mention of the second factor', async () => {
  const { root } = await buildProtected()

  const answer = await login({ ...root, password: 'a guess' })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.invalid_credentials' })
})

test('a recovery code works once and only for its own account', async () => {
  const { root, recoveryCodes } = await buildProtected()
  const { root: other } = await buildProtected()
  const proof = { recovery_code: recoveryCodes[0] }

  assert.deepEqual(outcomeOf(await login(other, proof)), invalid)
  assert.equal((await login(root, proof)).status, 200)
  assert.deepEqual(outcomeOf(await login(root, proof)), invalid)
  assert.deepEqual(await me(root), { enabled: true, codes: 9 })
})

test('new recovery codes invalidate the old ones', async () => {
  const { root, secret, recoveryCodes } = await buildProtected()
  moveClock(STEP_MS)

  const { data } = await call('recovery-codes', root, { totp_code: codeOf(secret) })

  assert.equal(data.recovery_codes.length, 10)
  assert.deepEqual(outcomeOf(await login(root, { recovery_code: recoveryCodes[0] })), invalid)
  assert.equal((await login(root, { recovery_code: data.recovery_codes[0] })).status, 200)
})

test('disable deletes all rows, and the password alone signs in', async () => {
  const { root, recoveryCodes } = await buildProtected()

  const off = await call('disable', root, { recovery_code: recoveryCodes[0] })

  assert.partialDeepStrictEqual(off, { status: 200, data: null })
  assert.equal((await login(root)).status, 200)
  assert.deepEqual(await me(root), { enabled: false, codes: 0 })
  assert.deepEqual(await rowsOf(root), [[], []])
})

const rowsOf = ({ id }: { id: string }) =>
  Promise.all(
    ['super_admin_two_factor', 'super_admin_recovery_codes'].map((table) =>
      db()(table).where('account_id', id),
    ),
  )

test('every step requires the password; disable and recovery-codes also require the second factor', async () => {
  const { root, secret } = await buildProtected()

  for (const [step, body] of [
    ['setup', {}],
    ['enable', { totp_code: '123456' }],
    ['disable', { totp_code: codeOf(secret) }],
    ['recovery-codes', { totp_code: codeOf(secret) }],
  ] as const)
    assert.deepEqual(
      outcomeOf(await call(step, root, { ...body, current_password: 'a guess' })),
      { status: 401, error_code: 'auth.invalid_credentials' },
      step,
    )
  for (const step of ['disable', 'recovery-codes']) {
    assert.deepEqual(outcomeOf(await call(step, root)), required, step)
    assert.deepEqual(outcomeOf(await call(step, root, { totp_code: wrongCode(secret) })), invalid)
  }
})

test('steps out of order return 409', async () => {
  const fresh = await buildSuperAdmin()
  const { root, secret } = await buildProtected()
  const again = await call('enable', root, { totp_code: codeOf(secret) })

  assert.deepEqual(outcomeOf(await call('enable', fresh, { totp_code: '123456' })), {
    status: 409,
    error_code: 'auth.totp_not_set_up',
  })
  assert.deepEqual(outcomeOf(await call('disable', fresh)), {
    status: 409,
    error_code: 'auth.totp_not_enabled',
  })
  assert.deepEqual(outcomeOf(await call('recovery-codes', fresh)), {
    status: 409,
    error_code: 'auth.totp_not_enabled',
  })
  assert.deepEqual(outcomeOf(await call('setup', root)), {
    status: 409,
    error_code: 'auth.totp_already_enabled',
  })
  assert.deepEqual(outcomeOf(again), { status: 409, error_code: 'auth.totp_already_enabled' })
})

test('the platform log has an entry for each step, without secrets', async () => {
  const root = await buildSuperAdmin()
  const { secret } = (await call('setup', root)).data
  const { recovery_codes: codes } = (await call('enable', root, { totp_code: codeOf(secret) })).data
  const renewed = await call('recovery-codes', root, { recovery_code: codes[0] })
  await call('disable', root, { recovery_code: renewed.data.recovery_codes[0] })
  await call('disable', root, { recovery_code: codes[1] })

  const { data } = await request(`GET /super-admin/audit-log?actor_id=${root.id}`, { token: root.token })

  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['Disable', 'RecoveryCodes', 'Enable', 'Setup'].map((step) => `postSuperAdminAuth2fa${step}`),
  )
  for (const value of [secret, ...codes, PASSWORD]) assert.ok(!JSON.stringify(data).includes(value))
})

test('a reset at the command line closes all sessions; the password stays valid', async () => {
  const { root } = await buildProtected()
  const { root: other } = await buildProtected()

  assert.equal(await resetTwoFactor(root.email.toUpperCase()), true)

  assert.deepEqual(await rowsOf(root), [[], []])
  await drainJobs()
  assert.match(mailbox.mails(root.email)[0]?.text ?? '', /switched off .*Device: command line/s)
  const before = await request('GET /super-admin/auth/me', { token: root.token })
  assert.equal(before.error_code, 'auth.session_revoked')
  assert.equal((await login(root)).status, 200)
  assert.deepEqual(outcomeOf(await login(other)), required)
  const [entry] = await db()('platform_audit_entries').where('actor_id', root.id)
  assert.partialDeepStrictEqual(entry, { action: 'resetTwoFactor', resource_id: root.id, session_id: null })
  assert.equal(await resetTwoFactor('nobody@example.test'), false)
})

test('a reset for a different address that the database compares as equal changes nothing', async () => {
  const { root } = await buildProtected()

  assert.equal(await resetTwoFactor(root.email.replace('.test', '.ｔest')), false)

  assert.deepEqual(outcomeOf(await login(root)), required)
})

test('enable and disable each send a mail', async () => {
  const root = await buildSuperAdmin()
  const { data: setup } = await call('setup', root)

  const { data: codes } = await call('enable', root, { totp_code: codeOf(setup.secret) })
  await drainJobs()
  await call('disable', root, { recovery_code: codes.recovery_codes[0] })
  await drainJobs()

  const subjects = mailbox.mails(root.email).map(({ subject }) => subject)
  assert.deepEqual(
    subjects,
    ['off', 'on'].map((now) => `Two-factor sign-in at 127.0.0.1 is ${now}`),
  )
})

afterEach(() => setLimit(0))

function setLimit(perMinute: number): void {
  process.env.LIMIT_CODES = String(perMinute)
  resetConfig()
}

test('the limit on codes counts sign-ins with the right password and each step', async () => {
  const { root, secret } = await buildProtected()
  setLimit(2)
  const wrong = { totp_code: wrongCode(secret) }

  for (let n = 0; n < 3; n++) await login({ ...root, password: 'a guess' }, wrong)
  const tried = [await login(root, wrong), await login(root, wrong), await login(root, wrong)]
  const steps = [
    await call('setup', root),
    await request('POST /super-admin/auth/password', {
      token: root.token,
      body: { current_password: 'a guess', password: 'staple by staple' },
    }),
  ]

  assert.deepEqual(
    tried.map(({ status }) => status),
    [401, 401, 429],
  )
  assert.deepEqual(
    steps.map(({ status }) => status),
    [429, 429],
  )
})
