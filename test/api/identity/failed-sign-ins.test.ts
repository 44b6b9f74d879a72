import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import {
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
  STEP_MS,
  wrongCode,
} from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { type ApiResponse, type RequestOptions, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'
import { serveBehindProxy } from '#test/support/processes/serve-behind-proxy.ts'

// An attacker guesses from many addresses. These tests run the service behind a proxy that names the client's address.

const OFF = { LIMIT_FAILURES: '0', LIMIT_LOGIN: '0' }

function configure(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
  resetConfig()
}

const url = await serveBehindProxy()
afterEach(async () => {
  configure(OFF)
  mailbox.clear()
  await db()('rate_limits').delete()
})

const allow = (failures: number) => configure({ LIMIT_FAILURES: String(failures) })

interface Device {
  ip: string
  program: string
}

/** A device with an unused address. */
function newDevice(): Device {
  const n = nextNumber()
  return {
    ip: `100.${64 + (n >> 8)}.${n & 255}.1`,
    program: `Stranger ${String.fromCharCode(65 + (n % 26))}`,
  }
}
const HOME: Device = { ip: '203.0.113.7', program: 'Firefox/140.0' }

interface Answer {
  status: number
  error: string | null
  error_code: string | null
  retryAfter: number
}

/** Sends a body from a device through the proxy. */
async function send(
  path: string,
  { ip, program }: Device,
  body: object,
  store?: BuiltStore,
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': ip,
      'User-Agent': program,
      ...(store ? { 'X-Service-Key': store.key } : {}),
    },
    body: JSON.stringify(body),
  })
  const { error, error_code } = (await response.json()) as Answer
  return {
    status: response.status,
    error,
    error_code,
    retryAfter: Number(response.headers.get('Retry-After')),
  }
}

const NEW = 'staple by staple'
const refused = { status: 401, error_code: 'auth.invalid_credentials' }
const limited = { status: 429, error_code: 'rate_limit.exceeded' }
const outcomeOf = ({ status, error_code }: Answer) => ({ status, error_code })

/** Signs in to one account from the device `from`. */
type SignIn = (password: string, from?: Device, more?: object) => Promise<Answer>

const signInTo =
  (email: string, store?: BuiltStore, path = '/auth/login'): SignIn =>
  (password, from = newDevice(), more = {}) =>
    send(path, from, { email, password, ...more }, store)

/** Fails `limit` times, from another address each time. */
async function useUp(signIn: SignIn, limit: number): Promise<void> {
  for (let n = 0; n < limit; n++) assert.deepEqual(outcomeOf(await signIn('a guess')), refused)
}

async function buildShopper() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  return { store, customer, signIn: signInTo(customer.email, store) }
}

test('failures from many addresses limit the account; the right password returns 429 too', async () => {
  const { signIn } = await buildShopper()
  allow(3)

  await useUp(signIn, 3)
  const [wrong, right] = [await signIn('a guess'), await signIn(PASSWORD)]

  assert.deepEqual({ wrong: outcomeOf(wrong), right: outcomeOf(right) }, { wrong: limited, right: limited })
  assert.ok(right.retryAfter > 3_500 && right.retryAfter <= 3_600, `${right.retryAfter} s`)
  assert.match(
    right.error ?? '',
    /Try again .* sign in on a device that you used before, or reset the password/,
  )
})

test('control: a limit by address alone allows every guess', async () => {
  const { signIn } = await buildShopper()
  configure({ LIMIT_LOGIN: '2' })

  await useUp(signIn, 12)

  assert.equal((await signIn(PASSWORD)).status, 200)
})

test('a known device still signs in to a limited account; other devices return 429', async () => {
  const { signIn } = await buildShopper()
  assert.equal((await signIn(PASSWORD, HOME)).status, 200)
  allow(3)
  await useUp(signIn, 3)

  const neighbour = { ip: '203.0.113.200', program: 'Firefox/141.0' }
  assert.equal((await signIn(PASSWORD, HOME)).status, 200)
  assert.equal((await signIn(PASSWORD, neighbour)).status, 200)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, { ...HOME, ip: '198.51.100.7' })), limited)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, { ...HOME, program: 'curl' })), limited)
})

test('all known devices of an account share one LIMIT_FAILURES', async () => {
  const { signIn } = await buildShopper()
  const other = newDevice()
  for (const device of [HOME, other]) await signIn(PASSWORD, device)
  allow(3)
  await useUp(signIn, 3)

  await useUp((password) => signIn(password, HOME), 3)

  assert.deepEqual(outcomeOf(await signIn('a guess', HOME)), limited)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, other)), limited)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, HOME)), limited)
})

test('failures for an unknown address return the same responses as for a known one', async () => {
  const store = await buildStore()
  const [customer, member, root, other] = [
    await buildCustomer(store),
    await buildStaff(store, { role: 'owner' }),
    await buildSuperAdmin(),
    await buildSuperAdmin(),
  ]
  allow(2)
  const sequenceOf = async (signIn: SignIn) => {
    const answers = [await signIn('a guess'), await signIn('b guess'), await signIn('c guess')]
    return answers.map(({ status, error, error_code }) => ({ status, error, error_code }))
  }
  const pairs = [
    [signInTo(customer.email, store), signInTo('no@one.example', store)],
    [signInTo(member.email), signInTo('nor@here.example')],
    [signInTo(root.email), signInTo('neither@here.example')],
    [
      signInTo(other.email, undefined, '/super-admin/auth/login'),
      signInTo('nor@there.example', undefined, '/super-admin/auth/login'),
    ],
  ] as const

  const sequences = new Set<string>()
  for (const [known, unknown] of pairs) {
    const sequence = await sequenceOf(known)
    assert.deepEqual(sequence, await sequenceOf(unknown))
    sequences.add(JSON.stringify(sequence))
  }
  assert.equal(sequences.size, 1, [...sequences].join())
})

test('failures count per store for customers and per platform for staff, in any spelling', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const email = `several-${nextNumber()}@example.test`
  for (const one of [store, other]) await buildCustomer(one, { email })
  await buildStaff(store, { role: 'sales', email })
  allow(2)

  await useUp(signInTo(email, store), 1)
  await useUp(signInTo(email.toUpperCase(), store), 1)
  await useUp(signInTo(email), 1)
  await useUp((password, from) => signInTo(email, other)(password, from, { account: 'staff' }), 1)

  assert.deepEqual(outcomeOf(await signInTo(email, store)(PASSWORD)), limited)
  assert.deepEqual(outcomeOf(await signInTo(email)(PASSWORD)), limited)
  assert.equal((await signInTo(email, other)(PASSWORD)).status, 200)
})

test('the limit resets an hour after the first failure', async () => {
  const { signIn } = await buildShopper()
  allow(2)
  await useUp(signIn, 2)

  moveClock(HOUR_MS - 60_000)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD)), limited)
  moveClock(HOUR_MS + 1_000)
  assert.equal((await signIn(PASSWORD)).status, 200)
})

test('the device that resets the password still signs in after later guesses from other devices', async () => {
  const { store, customer, signIn } = await buildShopper()
  const [here, password] = [newDevice(), 'staple by staple']
  allow(2)
  await useUp(signIn, 2)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, here)), limited)

  await resetPassword(store, customer, password, here)
  // The reset clears the failures; these guesses reach the limit again.
  await useUp(signIn, 2)

  assert.deepEqual(outcomeOf(await signIn(password)), limited)
  assert.equal((await signIn(password, here)).status, 200)
})

test('a password reset on a known device resets the limit of the device', async () => {
  const { store, customer, signIn } = await buildShopper()
  await signIn(PASSWORD, HOME)
  allow(2)
  await useUp(signIn, 2)
  await useUp((password) => signIn(password, HOME), 2)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, HOME)), limited)

  await resetPassword(store, customer, NEW, HOME)
  await useUp(signIn, 2)

  assert.deepEqual(outcomeOf(await signIn(NEW)), limited)
  assert.equal((await signIn(NEW, HOME)).status, 200)
})

/** Resets the password through a mailed link. */
async function resetPassword(
  store: BuiltStore,
  { email }: { email: string },
  password: string,
  device: Device,
): Promise<void> {
  await request('POST /auth/password/forgot', { store, body: { email } })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  const reset = await send('/auth/password/reset', device, { token: tokenIn(mail), password })
  assert.equal(reset.status, 200)
}

test("a changed password resets the limit, and so does the operator's change for a super-admin", async () => {
  const { store, customer, signIn } = await buildShopper()
  const root = await buildSuperAdmin()
  const signInRoot = signInTo(root.email, undefined, '/super-admin/auth/login')
  const password = 'staple by staple'
  allow(2)
  await useUp(signIn, 2)
  await useUp(signInRoot, 2)
  assert.deepEqual(outcomeOf(await signInRoot(PASSWORD)), limited)

  const body = { current_password: PASSWORD, password }
  await request('POST /auth/password', { store, token: customer.token, body })
  await upsertSuperAdmin({ email: root.email, password })

  assert.equal((await signIn(password)).status, 200)
  assert.equal((await signInRoot(password)).status, 200)
})

test('wrong current passwords within a session return 429 after the limit, across all endpoints', async () => {
  const { store, customer } = await buildShopper()
  const { token } = await buildSuperAdmin()
  const confirmed = (path: string, current_password: string, more: object, asked: RequestOptions) =>
    request(`POST ${path}`, { ...asked, body: { current_password, ...more } })
  const asks: ((password: string) => Promise<ApiResponse>)[] = [
    (password) => confirmed('/auth/password', password, { password: NEW }, { store, token: customer.token }),
    (password) => confirmed('/super-admin/auth/password', password, { password: NEW }, { token }),
  ]
  allow(3)

  for (const ask of asks) {
    const statuses: number[] = []
    for (const password of ['one', 'two', 'three', 'four', PASSWORD])
      statuses.push((await ask(password)).status)
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
  }
  const advised = await confirmed('/super-admin/auth/password', PASSWORD, { password: NEW }, { token })
  assert.match(advised.error ?? '', /reset the password by /)
  assert.doesNotMatch(advised.error ?? '', /from where you did before/)
  const elsewhere = { store, token: customer.token }
  const email = { email: 'elsewhere@example.test' }
  assert.equal((await confirmed('/auth/email', PASSWORD, email, elsewhere)).status, 429)
  assert.equal((await confirmed('/auth/2fa/setup', PASSWORD, {}, elsewhere)).status, 429)
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()
  const [mail] = mailbox.mails(customer.email)
  assert.ok(mail)
  await request('POST /auth/password/reset', { body: { token: tokenIn(mail), password: NEW } })
  const { data } = await request('POST /auth/login', {
    store,
    body: { email: customer.email, password: NEW },
  })
  const owner = { store, token: data.access_token }
  assert.equal((await confirmed('/auth/2fa/setup', NEW, {}, owner)).status, 200)
})

test('wrong second factors within a session return 429 after the limit, across all endpoints', async () => {
  const { store, customer } = await buildShopper()
  const root = await buildSuperAdmin()
  const owners = [
    {
      base: '/auth',
      email: customer.email,
      asked: { store, token: customer.token },
      ...(await buildTwoFactor(store, { type: 'customer', id: customer.id })),
    },
    {
      base: '/super-admin/auth',
      email: root.email,
      asked: { token: root.token },
      ...(await buildSuperAdminTwoFactor(root)),
    },
  ]
  moveClock(STEP_MS)
  allow(3)

  for (const { base, email, asked, secret, recoveryCodes } of owners) {
    const give = (step: string, code: object) =>
      request(`POST ${base}/2fa/${step}`, { ...asked, body: { current_password: PASSWORD, ...code } })
    const [wrong, right] = [{ totp_code: wrongCode(secret) }, { totp_code: codeOf(secret) }]
    const answers = [
      await give('disable', wrong),
      await give('recovery-codes', wrong),
      await give('disable', { recovery_code: '0000-0000-0000-0000' }),
      await give('disable', right),
      await give('recovery-codes', { recovery_code: recoveryCodes[0] }),
    ]
    assert.deepEqual(
      answers.map(({ error_code }) => error_code),
      [...Array(3).fill('auth.totp_invalid'), ...Array(2).fill('rate_limit.exceeded')],
    )
    assert.match(answers.at(-1)?.error ?? '', /codes .* no other password, device or code is accepted/)
    const body = { current_password: PASSWORD, password: NEW, ...right }
    assert.equal((await request(`POST ${base}/password`, { ...asked, body })).status, 429)
    // The codes of a sign-in count too, except on a known device.
    const login = { email, password: PASSWORD, ...right }
    const signIn = (headers: Record<string, string>) =>
      request(`POST ${base}/login`, { ...asked, headers, body: login })
    assert.equal((await signIn({ 'User-Agent': 'unknown' })).status, 429)
    assert.equal((await signIn({ 'User-Agent': 'test' })).status, 200)
  }
})

test('a wrong first code during setup does not count as a failure', async () => {
  const { store, customer } = await buildShopper()
  const give = (step: string, more: object = {}) =>
    request(`POST /auth/2fa/${step}`, {
      store,
      token: customer.token,
      body: { current_password: PASSWORD, ...more },
    })
  const { secret } = (await give('setup')).data
  allow(1)

  for (let n = 0; n < 2; n++)
    assert.equal((await give('enable', { totp_code: wrongCode(secret) })).error_code, 'auth.totp_invalid')
  assert.equal((await give('enable', { totp_code: codeOf(secret) })).status, 200)
})

test('wrong codes with the right password count as failures', async () => {
  const { store, customer, signIn } = await buildShopper()
  await signIn(PASSWORD, HOME)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  moveClock(STEP_MS)
  allow(3)

  const guess = () => signIn(PASSWORD, newDevice(), { totp_code: wrongCode(secret) })
  for (let n = 0; n < 3; n++) assert.equal((await guess()).error_code, 'auth.totp_invalid')
  const right = { totp_code: codeOf(secret) }

  assert.deepEqual(outcomeOf(await guess()), limited)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD, newDevice(), right)), limited)
  assert.equal((await signIn(PASSWORD)).error_code, 'auth.totp_required')
  assert.equal((await signIn(PASSWORD, HOME, right)).status, 200)
})

test('a new password does not reset the wrong codes of sign-ins', async () => {
  const { store, customer, signIn } = await buildShopper()
  const { secret, recoveryCodes } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  allow(2)
  const wrong = { totp_code: wrongCode(secret) }
  await signIn(PASSWORD, newDevice(), wrong)

  const body = { current_password: PASSWORD, password: NEW, recovery_code: recoveryCodes[0] }
  const changed = await request('POST /auth/password', { store, token: customer.token, body })

  assert.equal(changed.status, 200)
  assert.equal((await signIn(NEW, newDevice(), wrong)).error_code, 'auth.totp_invalid')
  assert.deepEqual(outcomeOf(await signIn(NEW, newDevice(), wrong)), limited)
})

test('a refresh with another user agent brings no further tries', async () => {
  const { store, customer, signIn } = await buildShopper()
  allow(2)
  await useUp(signIn, 2)
  let { refreshToken } = customer
  const refreshFrom = async (program: string) => {
    const headers = { 'User-Agent': program }
    const { data } = await request('POST /auth/refresh', {
      store,
      headers,
      body: { refresh_token: refreshToken },
    })
    refreshToken = data.refresh_token
  }
  const guessFrom = (program: string) => signIn('a guess', { ip: '127.0.0.1', program })
  await refreshFrom('First')
  await useUp(() => guessFrom('First'), 2)

  await refreshFrom('Second')

  assert.deepEqual(outcomeOf(await guessFrom('Second')), limited)
})

test('a sign-in that requires a code, or that succeeds, does not count as a failure', async () => {
  const { store, customer, signIn } = await buildShopper()
  const other = await buildCustomer(store)
  await buildTwoFactor(store, { type: 'customer', id: customer.id })
  allow(1)

  for (let n = 0; n < 3; n++) {
    assert.equal((await signIn(PASSWORD)).error_code, 'auth.totp_required')
    assert.equal((await signInTo(other.email, store)(PASSWORD)).status, 200)
  }
})

test('the limit adds no statement to a successful sign-in and one to a failed one', async () => {
  const { store, signIn } = await buildShopper()
  const unknown = signInTo('no@one.example', store)
  // A new connection adds statements, so the lesser of two counts is exact.
  const statements = async (limit: number, work: () => Promise<Answer>) => {
    allow(limit)
    return Math.min(await countStatements(work), await countStatements(work))
  }
  const costs = async (limit: number) => ({
    known: await statements(limit, () => signIn(PASSWORD, HOME)),
    failed: await statements(limit, () => signIn('a guess', HOME)),
    unknown: await statements(limit, () => unknown('a guess')),
  })
  await signIn(PASSWORD, HOME)

  assert.deepEqual(await costs(0), { known: 8, failed: 3, unknown: 3 })
  assert.deepEqual(await costs(100), { known: 8, failed: 4, unknown: 4 })
})

test('concurrent guesses are checked exactly up to the limit', async () => {
  const { signIn } = await buildShopper()
  allow(5)

  const answers = await Promise.all(Array.from({ length: 24 }, () => signIn('a guess')))

  assert.equal(answers.filter(({ status }) => status === 401).length, 5)
  assert.equal(answers.filter(({ status }) => status === 429).length, 19)
  assert.deepEqual(outcomeOf(await signIn(PASSWORD)), limited)
})
