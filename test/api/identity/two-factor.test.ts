import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor, codeOf, STEP_MS, wrongCode } from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const required = { status: 401, error_code: 'auth.totp_required' }
const invalid = { status: 401, error_code: 'auth.totp_invalid' }

beforeEach(() => mailbox.clear())

const call = (step: string, { store, token }: { store?: BuiltStore; token: string }, body: object = {}) =>
  request(`POST /auth/2fa/${step}`, {
    ...(store ? { store } : {}),
    token,
    body: { current_password: PASSWORD, ...body },
  })

const login = (store: BuiltStore, { email, password }: BuiltAccount, proof: object = {}) =>
  request('POST /auth/login', { store, body: { email, password, ...proof } })

const me = async (store: BuiltStore, token: string) => (await request('GET /auth/me', { store, token })).data

async function buildProtected() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { secret, recoveryCodes } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  return { store, customer, secret, recoveryCodes, caller: { store, token: customer.token } }
}

test('a sign-in after two-factor setup requires an unused code', async () => {
  const store = await buildStore({ name: 'Söhne: Co' })
  const customer = await buildCustomer(store)
  const caller = { store, token: customer.token }

  const setup = await call('setup', caller)
  const { secret, otpauth_uri, qr_svg } = setup.data
  const before = await login(store, customer)
  const code = codeOf(secret)
  const enabled = await call('enable', caller, { totp_code: code })
  const profile = await me(store, customer.token)
  const without = await login(store, customer)
  const same = await login(store, customer, { totp_code: code })
  moveClock(STEP_MS)
  const withCode = await login(store, customer, { totp_code: codeOf(secret) })

  assert.equal(setup.status, 200)
  assert.equal(setup.headers.get('cache-control'), 'no-store')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.match(otpauth_uri, /^otpauth:\/\/totp\/S%C3%B6hne%20%20Co:customer-.*secret=/)
  assert.match(qr_svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\s*$/s)
  assert.equal(before.status, 200, 'a secret that is not enabled requires no code')
  assert.equal(new Set(enabled.data.recovery_codes).size, 10)
  assert.partialDeepStrictEqual(profile, { two_factor_enabled: true, recovery_codes_remaining: 10 })
  assert.deepEqual(outcomeOf(without), required)
  assert.deepEqual(outcomeOf(same), invalid, 'the code that enabled two-factor sign-in is used')
  assert.equal(withCode.status, 200)
})

test('staff with two-factor sign-in need a code', async () => {
  const store = await buildStore()
  const member = await buildStaff(store, { role: 'owner' })
  const { secret } = await buildTwoFactor(store, { type: 'staff', id: member.id })
  const signIn = (proof: object) =>
    request('POST /auth/login', { body: { email: member.email, password: PASSWORD, ...proof } })

  assert.deepEqual(outcomeOf(await signIn({})), required)
  moveClock(STEP_MS)
  assert.equal((await signIn({ totp_code: codeOf(secret) })).status, 200)
})

test('a wrong password returns auth.invalid_credentials with and without a second factor', async () => {
  const { store, customer } = await buildProtected()

  const answer = await login(store, { ...customer, password: 'a guess' })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.invalid_credentials' })
})

test('a code of the adjacent step is accepted, one of two steps away is refused', async () => {
  const { store, customer, secret } = await buildProtected()
  moveClock(10 * STEP_MS)

  for (const drift of [-2 * STEP_MS, 2 * STEP_MS])
    assert.deepEqual(outcomeOf(await login(store, customer, { totp_code: codeOf(secret, drift) })), invalid)
  for (const drift of [-STEP_MS, 0, STEP_MS])
    assert.equal((await login(store, customer, { totp_code: codeOf(secret, drift) })).status, 200)
})

test('a used code and an earlier code return auth.totp_invalid', async () => {
  const { store, customer, secret } = await buildProtected()
  moveClock(10 * STEP_MS)
  const [earlier, present] = [codeOf(secret, -STEP_MS), codeOf(secret)]

  assert.equal((await login(store, customer, { totp_code: present })).status, 200)
  assert.deepEqual(outcomeOf(await login(store, customer, { totp_code: present })), invalid)
  assert.deepEqual(outcomeOf(await login(store, customer, { totp_code: earlier })), invalid)
  assert.deepEqual(outcomeOf(await login(store, customer, { totp_code: wrongCode(secret) })), invalid)
})

test('a recovery code works once, in any case and spacing', async () => {
  const { store, customer, recoveryCodes } = await buildProtected()
  const [first = '', second = ''] = recoveryCodes

  const used = await login(store, customer, { recovery_code: first })
  const again = await login(store, customer, { recovery_code: first })
  const typed = second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
  const other = await login(store, customer, { recovery_code: typed })
  const unknown = await login(store, customer, { recovery_code: '0000-0000-0000-0000' })

  assert.deepEqual({ used: used.status, other: other.status }, { used: 200, other: 200 })
  assert.deepEqual(
    { again: outcomeOf(again), unknown: outcomeOf(unknown) },
    { again: invalid, unknown: invalid },
  )
  assert.equal((await me(store, used.data.access_token)).recovery_codes_remaining, 8)
})

test('a code of another account returns auth.totp_invalid', async () => {
  const { store, secret, recoveryCodes } = await buildProtected()
  const other = await buildCustomer(store)
  await buildTwoFactor(store, { type: 'customer', id: other.id })
  moveClock(STEP_MS)

  assert.deepEqual(outcomeOf(await login(store, other, { totp_code: codeOf(secret) })), invalid)
  assert.deepEqual(outcomeOf(await login(store, other, { recovery_code: recoveryCodes[0] })), invalid)
})

test('new recovery codes replace the old ones', async () => {
  const { store, customer, secret, recoveryCodes, caller } = await buildProtected()
  moveClock(STEP_MS)

  const { data } = await call('recovery-codes', caller, { totp_code: codeOf(secret) })

  assert.equal(data.recovery_codes.length, 10)
  assert.deepEqual(outcomeOf(await login(store, customer, { recovery_code: recoveryCodes[0] })), invalid)
  assert.equal((await login(store, customer, { recovery_code: data.recovery_codes[0] })).status, 200)
})

test('disabling deletes the secret and the codes; the password alone signs in', async () => {
  const { store, customer, recoveryCodes, caller } = await buildProtected()

  const off = await call('disable', caller, { recovery_code: recoveryCodes[0] })

  assert.partialDeepStrictEqual(off, { status: 200, data: null })
  assert.equal((await login(store, customer)).status, 200)
  const { two_factor_enabled, recovery_codes_remaining } = await me(store, customer.token)
  assert.deepEqual(
    { two_factor_enabled, recovery_codes_remaining },
    { two_factor_enabled: false, recovery_codes_remaining: 0 },
  )
  await inStore(store.id, async (tx) => {
    for (const table of ['two_factor', 'recovery_codes'])
      assert.deepEqual(await tx.knex(table).select(), [], table)
  })
})

test('every step requires the password; disable and recovery-codes also require the second factor', async () => {
  const { secret, caller } = await buildProtected()
  const wrong = { current_password: 'a guess' }

  for (const [step, body] of [
    ['setup', {}],
    ['enable', { totp_code: '123456' }],
    ['disable', { totp_code: codeOf(secret) }],
    ['recovery-codes', { totp_code: codeOf(secret) }],
  ] as const)
    assert.deepEqual(
      { step, ...outcomeOf(await call(step, caller, { ...body, ...wrong })) },
      { step, status: 401, error_code: 'auth.invalid_credentials' },
    )
  for (const step of ['disable', 'recovery-codes']) {
    assert.deepEqual({ step, ...outcomeOf(await call(step, caller)) }, { step, ...required })
    assert.deepEqual(outcomeOf(await call(step, caller, { totp_code: wrongCode(secret) })), invalid)
  }
})

test('steps in the wrong order return 409', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const fresh = { store, token }
  const { caller, secret } = await buildProtected()

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
  assert.deepEqual(outcomeOf(await call('setup', caller)), {
    status: 409,
    error_code: 'auth.totp_already_enabled',
  })
  assert.deepEqual(outcomeOf(await call('enable', caller, { totp_code: codeOf(secret) })), {
    status: 409,
    error_code: 'auth.totp_already_enabled',
  })
})

test('a second setup replaces a secret that is not enabled', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const caller = { store, token }
  const [first, second] = [(await call('setup', caller)).data, (await call('setup', caller)).data]

  assert.notEqual(first.secret, second.secret)
  assert.deepEqual(outcomeOf(await call('enable', caller, { totp_code: codeOf(first.secret) })), invalid)
  assert.equal((await call('enable', caller, { totp_code: codeOf(second.secret) })).status, 200)
})

test('the account receives a mail when two-factor sign-in is enabled and disabled', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const caller = { store, token: customer.token }
  const { data: setup } = await call('setup', caller)

  const { data: codes } = await call('enable', caller, { totp_code: codeOf(setup.secret) })
  await drainJobs()
  await call('disable', caller, { recovery_code: codes.recovery_codes[0] })
  await drainJobs()

  const [off, on] = mailbox.mails(customer.email)
  assert.match(on?.subject ?? '', /is on$/)
  assert.match(off?.subject ?? '', /is off$/)
  assert.match(on?.html ?? '', /recovery codes/)
  for (const mail of [on, off])
    for (const secret of [setup.secret, ...codes.recovery_codes]) assert.ok(!mail?.text.includes(secret))
})

/** Resets the password through a mailed link and returns the account with the new password. */
async function resetPassword(store: BuiltStore, customer: BuiltAccount): Promise<BuiltAccount> {
  const password = 'staple by staple'
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const [, token] = /#token=([\w-]+)/.exec(mailbox.mails(customer.email)[0]?.text ?? '') ?? []
  await request('POST /auth/password/reset', { body: { token, password } })
  return { ...customer, password }
}

test('a password reset of a verified account keeps the second factor', async () => {
  const { store, customer } = await buildProtected()
  await inStore(store.id, (tx) => markVerified(tx, customer.id))

  assert.deepEqual(outcomeOf(await login(store, await resetPassword(store, customer))), required)
})

test('a password reset that first verifies the address removes the second factor', async () => {
  const { store, customer } = await buildProtected()

  assert.equal((await login(store, await resetPassword(store, customer))).status, 200)
})

test('a code that is not six digits returns 422', async () => {
  const { store, customer } = await buildProtected()

  for (const totp_code of ['12345', '1234567', '12345a', '１２３４５６', 123456])
    assert.equal((await login(store, customer, { totp_code })).status, 422)
  assert.equal((await login(store, customer, { recovery_code: '' })).status, 422)
})
