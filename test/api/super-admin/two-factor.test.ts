import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { resetTwoFactor } from '#shared/super-admin/reset-two-factor.ts'
import { type Answered, request } from '#test/support/app.ts'
import { type BuiltAccount, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { buildSuperAdminTwoFactor, codeOf, STEP_MS, wrongCode } from '#test/support/build-two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { mailbox } from '#test/support/mailbox.ts'

// What the accounts of stores have in common with super-admins is asked in test/api/accounts/two-factor.test.ts.

const brief = ({ status, error_code }: Answered) => [status, error_code]
const required = [401, 'auth.totp_required']
const invalid = [401, 'auth.totp_invalid']

const call = (step: string, { token }: BuiltAccount, body: object = {}) =>
  request(`POST /super-admin/auth/2fa/${step}`, { token, body: { current_password: PASSWORD, ...body } })

const login = ({ email, password }: BuiltAccount, proof: object = {}) =>
  request('POST /super-admin/auth/login', { body: { email, password, ...proof } })

const me = async ({ token }: { token: string }) => {
  const { data } = await request('GET /super-admin/auth/me', { token })
  return [data.two_factor_enabled, data.recovery_codes_remaining]
}

async function buildProtected() {
  const root = await buildSuperAdmin()
  return { root, ...(await buildSuperAdminTwoFactor(root)) }
}

test('set up, switched on, asked for at the next sign-in', async () => {
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
  assert.equal(before.status, 200, 'a secret that was not switched on is not asked for')
  assert.equal(new Set(enabled.data.recovery_codes).size, 10)
  assert.deepEqual(await me(root), [true, 10])
  assert.deepEqual(brief(without), required)
  assert.deepEqual(brief(same), invalid, 'the code that switched it on is spent')
  assert.equal(withCode.status, 200)
})

test('the common sign-in asks for it too', async () => {
  const { root, secret, recoveryCodes } = await buildProtected()
  const signIn = (proof: object) =>
    request('POST /auth/login', { body: { email: root.email, password: PASSWORD, ...proof } })
  moveClock(STEP_MS)

  assert.deepEqual(brief(await signIn({})), required)
  assert.deepEqual(brief(await signIn({ totp_code: wrongCode(secret) })), invalid)
  assert.equal((await signIn({ totp_code: codeOf(secret) })).data.super_admin.id, root.id)
  assert.deepEqual(brief(await signIn({ totp_code: codeOf(secret) })), invalid)
  assert.equal((await signIn({ recovery_code: recoveryCodes[0] })).data.super_admin.id, root.id)
})

test('with a wrong password nobody learns whether a second factor is asked for', async () => {
  const { root } = await buildProtected()

  const answer = await login({ ...root, password: 'a guess' })

  assert.deepEqual(brief(answer), [401, 'auth.invalid_credentials'])
})

test('a recovery code stands in once, and opens no other account', async () => {
  const { root, recoveryCodes } = await buildProtected()
  const { root: other } = await buildProtected()
  const proof = { recovery_code: recoveryCodes[0] }

  assert.deepEqual(brief(await login(other, proof)), invalid)
  assert.equal((await login(root, proof)).status, 200)
  assert.deepEqual(brief(await login(root, proof)), invalid)
  assert.deepEqual(await me(root), [true, 9])
})

test('new recovery codes make the old ones void', async () => {
  const { root, secret, recoveryCodes } = await buildProtected()
  moveClock(STEP_MS)

  const { data } = await call('recovery-codes', root, { totp_code: codeOf(secret) })

  assert.equal(data.recovery_codes.length, 10)
  assert.deepEqual(brief(await login(root, { recovery_code: recoveryCodes[0] })), invalid)
  assert.equal((await login(root, { recovery_code: data.recovery_codes[0] })).status, 200)
})

test('switched off, the password alone is enough again, and nothing is left', async () => {
  const { root, recoveryCodes } = await buildProtected()

  const off = await call('disable', root, { recovery_code: recoveryCodes[0] })

  assert.partialDeepStrictEqual(off, { status: 200, data: null })
  assert.equal((await login(root)).status, 200)
  assert.deepEqual(await me(root), [false, 0])
  assert.deepEqual(await rowsOf(root), [[], []])
})

const rowsOf = ({ id }: { id: string }) =>
  Promise.all(
    ['super_admin_two_factor', 'super_admin_recovery_codes'].map((table) =>
      db()(table).where('account_id', id),
    ),
  )

test('every step asks for the password; what weakens asks for the second factor, too', async () => {
  const { root, secret } = await buildProtected()

  for (const [step, body] of [
    ['setup', {}],
    ['enable', { totp_code: '123456' }],
    ['disable', { totp_code: codeOf(secret) }],
    ['recovery-codes', { totp_code: codeOf(secret) }],
  ] as const)
    assert.deepEqual(
      [step, ...brief(await call(step, root, { ...body, current_password: 'a guess' }))],
      [step, 401, 'auth.invalid_credentials'],
    )
  for (const step of ['disable', 'recovery-codes']) {
    assert.deepEqual([step, ...brief(await call(step, root))], [step, ...required])
    assert.deepEqual(brief(await call(step, root, { totp_code: wrongCode(secret) })), invalid)
  }
})

test('steps out of their order are refused', async () => {
  const fresh = await buildSuperAdmin()
  const { root, secret } = await buildProtected()
  const again = await call('enable', root, { totp_code: codeOf(secret) })

  assert.deepEqual(brief(await call('enable', fresh, { totp_code: '123456' })), [409, 'auth.totp_not_set_up'])
  assert.deepEqual(brief(await call('disable', fresh)), [409, 'auth.totp_not_enabled'])
  assert.deepEqual(brief(await call('recovery-codes', fresh)), [409, 'auth.totp_not_enabled'])
  assert.deepEqual(brief(await call('setup', root)), [409, 'auth.totp_already_enabled'])
  assert.deepEqual(brief(again), [409, 'auth.totp_already_enabled'])
})

test("each step stands in the platform's log, without what is secret in it", async () => {
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
  for (const kept of [secret, ...codes, PASSWORD]) assert.ok(!JSON.stringify(data).includes(kept))
})

test('lost, it is switched off at the command line: all sessions close, the password stays', async () => {
  const { root } = await buildProtected()
  const { root: other } = await buildProtected()

  assert.equal(await resetTwoFactor(root.email.toUpperCase()), true)

  assert.deepEqual(await rowsOf(root), [[], []])
  await drainJobs()
  assert.match(mailbox.mails(root.email)[0]?.text ?? '', /switched off .*Device: command line/s)
  const before = await request('GET /super-admin/auth/me', { token: root.token })
  assert.equal(before.error_code, 'auth.session_revoked')
  assert.equal((await login(root)).status, 200)
  assert.deepEqual(brief(await login(other)), required)
  const [entry] = await db()('platform_audit_entries').where('actor_id', root.id)
  assert.partialDeepStrictEqual(entry, { action: 'resetTwoFactor', resource_id: root.id, session_id: null })
  assert.equal(await resetTwoFactor('nobody@example.test'), false)
})

test('lost by another whose address only compares the same, it stays on', async () => {
  const { root } = await buildProtected()

  assert.equal(await resetTwoFactor(root.email.replace('.test', '.ｔest')), false)

  assert.deepEqual(brief(await login(root)), required)
})

test('the super-admin is told when it is switched on and when off', async () => {
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

test('ten codes a minute: at the sign-in after the right password alone, and at each step', async () => {
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
