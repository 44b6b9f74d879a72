import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { createApp } from '#api/app.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { type Answered, type Asked, request } from '#test/support/app.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/build.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import {
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
  STEP_MS,
  wrongCode,
} from '#test/support/build-two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { mailbox, tokenIn } from '#test/support/mailbox.ts'

// Whoever has many addresses guesses from each of them. The service stands behind a proxy here, which says which.

const BEHIND_PROXY = { TRUST_PROXY: 'true', PROXY_HOPS: '1' }
const OFF = { TRUST_PROXY: 'false', LIMIT_FAILURES: '0', LIMIT_LOGIN: '0' }

function configure(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
  resetConfig()
}

configure(BEHIND_PROXY)
const server = createHttpServer(createApp().callback())
configure(OFF)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => {
  server.closeAllConnections()
  server.close()
})
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

/** Somebody from an address that nobody came from before. */
function stranger(): Device {
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

/** Sends a body from a device, by the proxy. */
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
const refused = [401, 'auth.invalid_credentials']
const slowed = [429, 'rate_limit.exceeded']
const brief = ({ status, error_code }: Answer) => [status, error_code]

/** Who signs in, and how: `from` says where from. */
type SignIn = (password: string, from?: Device, more?: object) => Promise<Answer>

const signingIn =
  (email: string, store?: BuiltStore, path = '/auth/login'): SignIn =>
  (password, from = stranger(), more = {}) =>
    send(path, from, { email, password, ...more }, store)

/** Guesses until the limit is used up, from another address each time. */
async function useUp(signIn: SignIn, limit: number): Promise<void> {
  for (let n = 0; n < limit; n++) assert.deepEqual(brief(await signIn('a guess')), refused)
}

async function buildShopper() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  return { store, customer, signIn: signingIn(customer.email, store) }
}

test('many addresses against one account are slowed, even one that has the password', async () => {
  const { signIn } = await buildShopper()
  allow(3)

  await useUp(signIn, 3)
  const [wrong, right] = [await signIn('a guess'), await signIn(PASSWORD)]

  assert.deepEqual([brief(wrong), brief(right)], [slowed, slowed])
  assert.ok(right.retryAfter > 3_500 && right.retryAfter <= 3_600, `${right.retryAfter} s`)
  assert.match(right.error ?? '', /Wait .* sign in from where you did before, or choose a new password/)
})

test('control: by address alone all of them are looked at', async () => {
  const { signIn } = await buildShopper()
  configure({ LIMIT_LOGIN: '2' })

  await useUp(signIn, 12)

  assert.equal((await signIn(PASSWORD)).status, 200)
})

test('the owner gets in all the while from where they did before, and nobody else', async () => {
  const { signIn } = await buildShopper()
  assert.equal((await signIn(PASSWORD, HOME)).status, 200)
  allow(3)
  await useUp(signIn, 3)

  const neighbour = { ip: '203.0.113.200', program: 'Firefox/141.0' }
  assert.equal((await signIn(PASSWORD, HOME)).status, 200)
  assert.equal((await signIn(PASSWORD, neighbour)).status, 200)
  assert.deepEqual(brief(await signIn(PASSWORD, { ...HOME, ip: '198.51.100.7' })), slowed)
  assert.deepEqual(brief(await signIn(PASSWORD, { ...HOME, program: 'curl' })), slowed)
})

test('a known device has as many tries of its own, and no more', async () => {
  const { signIn } = await buildShopper()
  await signIn(PASSWORD, HOME)
  allow(3)
  await useUp(signIn, 3)

  await useUp((password) => signIn(password, HOME), 3)

  assert.deepEqual(brief(await signIn('a guess', HOME)), slowed)
  assert.deepEqual(brief(await signIn(PASSWORD, HOME)), slowed)
})

test('an address that is nobody’s is answered the same, step by step', async () => {
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
    return answers.map(({ status, error, error_code }) => [status, error, error_code])
  }
  const pairs = [
    [signingIn(customer.email, store), signingIn('no@one.example', store)],
    [signingIn(member.email), signingIn('nor@here.example')],
    [signingIn(root.email), signingIn('neither@here.example')],
    [
      signingIn(other.email, undefined, '/super-admin/auth/login'),
      signingIn('nor@there.example', undefined, '/super-admin/auth/login'),
    ],
  ] as const

  const said = new Set<string>()
  for (const [known, unknown] of pairs) {
    const sequence = await sequenceOf(known)
    assert.deepEqual(sequence, await sequenceOf(unknown))
    said.add(JSON.stringify(sequence))
  }
  assert.equal(said.size, 1, [...said].join())
})

test('the failures of a customer are one store’s, those of staff the platform’s, however the address is written', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const email = `several-${nextNumber()}@example.test`
  for (const one of [store, other]) await buildCustomer(one, { email })
  await buildStaff(store, { role: 'sales', email })
  allow(2)

  await useUp(signingIn(email, store), 1)
  await useUp(signingIn(email.toUpperCase(), store), 1)
  await useUp(signingIn(email), 1)
  await useUp((password, from) => signingIn(email, other)(password, from, { account: 'staff' }), 1)

  assert.deepEqual(brief(await signingIn(email, store)(PASSWORD)), slowed)
  assert.deepEqual(brief(await signingIn(email)(PASSWORD)), slowed)
  assert.equal((await signingIn(email, other)(PASSWORD)).status, 200)
})

test('an hour after the first failure the limit begins anew', async () => {
  const { signIn } = await buildShopper()
  allow(2)
  await useUp(signIn, 2)

  moveClock(HOUR_MS - 60_000)
  assert.deepEqual(brief(await signIn(PASSWORD)), slowed)
  moveClock(HOUR_MS + 1_000)
  assert.equal((await signIn(PASSWORD)).status, 200)
})

test('whoever chooses a new password by mail signs in where they do, whatever is guessed elsewhere by then', async () => {
  const { store, customer, signIn } = await buildShopper()
  const [here, password] = [stranger(), 'staple by staple']
  allow(2)
  await useUp(signIn, 2)
  assert.deepEqual(brief(await signIn(PASSWORD, here)), slowed)

  await choosePassword(store, customer, password, here)
  // What had failed is forgotten; then somebody goes on guessing.
  await useUp(signIn, 2)

  assert.deepEqual(brief(await signIn(password)), slowed)
  assert.equal((await signIn(password, here)).status, 200)
})

test('a known device that used up its own tries has them back where the new password is chosen', async () => {
  const { store, customer, signIn } = await buildShopper()
  await signIn(PASSWORD, HOME)
  allow(2)
  await useUp(signIn, 2)
  await useUp((password) => signIn(password, HOME), 2)
  assert.deepEqual(brief(await signIn(PASSWORD, HOME)), slowed)

  await choosePassword(store, customer, NEW, HOME)
  await useUp(signIn, 2)

  assert.deepEqual(brief(await signIn(NEW)), slowed)
  assert.equal((await signIn(NEW, HOME)).status, 200)
})

/** Has a link mailed and chooses a new password by it. */
async function choosePassword(
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

test('a new password that is chosen while signed in ends it as well, and so does the operator for a super-admin', async () => {
  const { store, customer, signIn } = await buildShopper()
  const root = await buildSuperAdmin()
  const signInRoot = signingIn(root.email, undefined, '/super-admin/auth/login')
  const password = 'staple by staple'
  allow(2)
  await useUp(signIn, 2)
  await useUp(signInRoot, 2)
  assert.deepEqual(brief(await signInRoot(PASSWORD)), slowed)

  const body = { current_password: PASSWORD, password }
  await request('POST /auth/password', { store, token: customer.token, body })
  await upsertSuperAdmin({ email: root.email, password })

  assert.equal((await signIn(password)).status, 200)
  assert.equal((await signInRoot(password)).status, 200)
})

test('who came by a session alone guesses the password no longer than a stranger, whatever it is asked for', async () => {
  const { store, customer } = await buildShopper()
  const { token } = await buildSuperAdmin()
  const confirmed = (path: string, current_password: string, more: object, asked: Asked) =>
    request(`POST ${path}`, { ...asked, body: { current_password, ...more } })
  const asks: ((password: string) => Promise<Answered>)[] = [
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
  assert.match(advised.error ?? '', /choose a new one by /)
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

test('nor do session and password open endless tries of the code, whatever it is asked for', async () => {
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
    const give = (step: string, code: object, current_password = PASSWORD) =>
      request(`POST ${base}/2fa/${step}`, { ...asked, body: { current_password, ...code } })
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
    assert.match(answers.at(-1)?.error ?? '', /codes .* no other password, device or code helps/)
    // Another password is no other secret of the app: who chooses one goes on guessing at that.
    const body = { current_password: PASSWORD, password: NEW }
    assert.equal((await request(`POST ${base}/password`, { ...asked, body })).status, 200)
    assert.equal((await give('disable', right, NEW)).status, 429)
    const login = { email, password: NEW, ...right }
    assert.equal((await request(`POST ${base}/login`, { ...asked, body: login })).status, 200)
  }
})

test('to mistype the first code of an app is no failure: its secret was just shown', async () => {
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

test('codes that are wrong count as well: the password alone opens no endless tries', async () => {
  const { store, customer, signIn } = await buildShopper()
  await signIn(PASSWORD, HOME)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  moveClock(STEP_MS)
  allow(3)

  const guess = () => signIn(PASSWORD, stranger(), { totp_code: wrongCode(secret) })
  for (let n = 0; n < 3; n++) assert.equal((await guess()).error_code, 'auth.totp_invalid')
  const right = { totp_code: codeOf(secret) }

  assert.deepEqual(brief(await guess()), slowed)
  assert.deepEqual(brief(await signIn(PASSWORD, stranger(), right)), slowed)
  assert.deepEqual(brief(await signIn(PASSWORD)), slowed)
  assert.equal((await signIn(PASSWORD, HOME, right)).status, 200)
})

test('to be asked for a code is no failure, nor is a sign-in that works', async () => {
  const { store, customer, signIn } = await buildShopper()
  const other = await buildCustomer(store)
  await buildTwoFactor(store, { type: 'customer', id: customer.id })
  allow(1)

  for (let n = 0; n < 3; n++) {
    assert.equal((await signIn(PASSWORD)).error_code, 'auth.totp_required')
    assert.equal((await signingIn(other.email, store)(PASSWORD)).status, 200)
  }
})

test('it takes a sign-in no statement more, and one that fails a single one', async () => {
  const { store, signIn } = await buildShopper()
  const unknown = signingIn('no@one.example', store)
  // The lesser of two: a connection that is opened meanwhile says something of its own.
  const statements = async (limit: number, work: () => Promise<Answer>) => {
    allow(limit)
    return Math.min(await countStatements(work), await countStatements(work))
  }
  const costs = async (limit: number) => [
    await statements(limit, () => signIn(PASSWORD, HOME)),
    await statements(limit, () => signIn('a guess', HOME)),
    await statements(limit, () => unknown('a guess')),
  ]
  await signIn(PASSWORD, HOME)

  const [known, failed, nobody] = await costs(0)

  assert.deepEqual([known, failed, nobody], [8, 3, 3])
  assert.deepEqual(await costs(100), [8, 4, 4])
})

test('of many guesses at once exactly the limit is checked', async () => {
  const { signIn } = await buildShopper()
  allow(5)

  const answers = await Promise.all(Array.from({ length: 24 }, () => signIn('a guess')))

  assert.equal(answers.filter(({ status }) => status === 401).length, 5)
  assert.equal(answers.filter(({ status }) => status === 429).length, 19)
  assert.deepEqual(brief(await signIn(PASSWORD)), slowed)
})
