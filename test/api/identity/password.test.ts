import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { linkAccount } from '#shared/identity/identity-link.ts'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { buildProvider } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

const NEW = 'staple by staple'
const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const linkInvalid = { status: 400, error_code: 'auth.link_invalid' }

beforeEach(() => mailbox.clear())

const login = (store: BuiltStore | null, email: string, password: string) =>
  request('POST /auth/login', { ...(store ? { store } : {}), body: { email, password } })

/** Requests a reset link and reads it from the mailbox. */
async function linkFor({ email }: BuiltAccount, store?: BuiltStore): Promise<string> {
  await request('POST /auth/password/forgot', { ...(store ? { store } : {}), body: { email } })
  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  return tokenIn(mail)
}

const reset = (token: string, password = NEW, store?: BuiltStore) =>
  request('POST /auth/password/reset', { ...(store ? { store } : {}), body: { token, password } })

test('a password change keeps the current session, closes the others and sends a mail', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const other = (await login(store, customer.email, PASSWORD)).data
  mailbox.clear()

  const { status, data } = await request('POST /auth/password', {
    store,
    token: customer.token,
    body: { current_password: PASSWORD, password: NEW },
  })
  await drainJobs()

  assert.deepEqual({ status, data }, { status: 200, data: null })
  assert.equal((await request('GET /auth/me', { store, token: customer.token })).status, 200)
  const closed = await request('GET /auth/me', { store, token: other.access_token })
  assert.deepEqual(outcomeOf(closed), { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await login(store, customer.email, PASSWORD)).status, 401)
  assert.equal((await login(store, customer.email, NEW)).status, 200)
  const subjects = mailbox.mails(customer.email).map(({ subject }) => subject)
  assert.ok(subjects.includes(`Your password at Store ${store.slug} was changed`))
})

test('staff change their password with the current password', async () => {
  const member = await buildStaff(await buildStore(), { role: 'support' })

  const { status } = await request('POST /auth/password', {
    token: member.token,
    body: { current_password: PASSWORD, password: NEW },
  })

  assert.equal(status, 200)
  assert.equal((await login(null, member.email, NEW)).status, 200)
})

test('a wrong current password returns 401 and changes nothing', async () => {
  const store = await buildStore()
  const { token, email } = await buildCustomer(store)

  const answer = await request('POST /auth/password', {
    store,
    token,
    body: { current_password: 'a guess', password: NEW },
  })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.invalid_credentials' })
  assert.equal((await login(store, email, PASSWORD)).status, 200)
})

test('an account without a password returns 401 auth.invalid_credentials', async () => {
  const store = await buildStore()
  const { id, token } = await buildCustomer(store)
  await inStore(store.id, (tx) => tx.knex('customers').where({ id }).update({ password_hash: null }))

  const body = { current_password: PASSWORD, password: NEW }
  const answer = await request('POST /auth/password', { store, token, body })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.invalid_credentials' })
})

test('a reset link sets a new password once and closes every session', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const token = await linkFor(customer, store)

  const { status, data } = await reset(token)
  const again = await reset(token, 'yet another one')

  assert.deepEqual({ status, data }, { status: 200, data: null })
  assert.deepEqual(outcomeOf(again), linkInvalid)
  const me = await request('GET /auth/me', { store, token: customer.token })
  assert.deepEqual(outcomeOf(me), { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await login(store, customer.email, PASSWORD)).status, 401)
  const { data: signedIn } = await login(store, customer.email, NEW)
  assert.ok(signedIn.customer.verified_at, 'the link verifies the address')
})

test('the reset mail has a text and an HTML part and names the store', async () => {
  const store = await buildStore({ name: 'Söhne & Co' })
  const customer = await buildCustomer(store)
  const token = await linkFor(customer, store)

  const [mail] = mailbox.mails(customer.email)
  const url = `http://${store.domain}:${new URL(config().PUBLIC_URL).port}/reset-password#token=${token}`
  assert.equal(mail?.subject, 'Choose a new password for Söhne & Co')
  assert.ok(mail?.text.includes(`\n${url}\n`))
  assert.ok(mail?.html.includes(`href="${url}"`))
  assert.ok(mail?.html.includes('at Söhne &amp; Co.'))
})

test('the reset link points to the page in the store settings', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { token: admin } = await buildStaff(store, { role: 'administrator' })
  const links = { reset_password: 'https://shop.example/account/reset?lang=en' }
  await request('PATCH /admin/settings', { token: admin, body: { links } })

  const token = await linkFor(customer, store)

  assert.ok(mailbox.mails(customer.email)[0]?.text.includes(`\n${links.reset_password}#token=${token}\n`))
})

test('a reset request without a store mails staff a link to the admin page', async () => {
  const store = await buildStore()
  const member = await buildStaff(store, { role: 'catalog' })

  const token = await linkFor(member)

  // The link uses the service's address, since staff other than the owner can change the store's domain.
  const { text } = mailbox.mails(member.email)[0] ?? {}
  assert.ok(text?.includes(`\n${config().PUBLIC_URL}/admin/reset-password#token=${token}\n`))
  assert.equal((await reset(token)).status, 200)
  assert.equal((await login(null, member.email, NEW)).status, 200)
})

test('a reset request with a store addresses the customer, or staff with account: staff', async () => {
  const store = await buildStore()
  const email = 'both-kinds@example.test'
  await buildCustomer(store, { email })
  await buildStaff(store, { role: 'sales', email })
  const ask = (account?: string) =>
    request('POST /auth/password/forgot', { store, body: { email, ...(account ? { account } : {}) } })

  await ask()
  await drainJobs()
  await ask('staff')
  await drainJobs()

  const [second, first] = mailbox.mails(email)
  assert.doesNotMatch(first?.text ?? '', /admin/)
  assert.match(second?.text ?? '', /\/admin\/reset-password/)
})

test('a reset request for a known and an unknown address returns the same response and queues the same job', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const [customer, member] = [await buildCustomer(store), await buildStaff(store, { role: 'owner' })]
  const inactive = await buildCustomer(store, { isActive: false })
  const unknown = 'no@one.example'
  await drainJobs()
  const jobs = async () =>
    (await db().raw("select name from pgboss.job where state = 'created' order by name")).rows
  const responsesTo = async (requests: Parameters<typeof request>[1][]) => {
    const seen = new Set<string>()
    for (const options of requests) {
      const { status, body } = (await request('POST /auth/password/forgot', options)) as ApiResponse & {
        body: unknown
      }
      seen.add(JSON.stringify({ status, body, jobs: await jobs() }))
      await drainJobs()
    }
    return [...seen].map((one) => JSON.parse(one))
  }

  const ofStore = await responsesTo([
    { store, body: { email: customer.email } },
    { store, body: { email: unknown } },
    { store, body: { email: inactive.email } },
    { store: other, body: { email: customer.email } },
    { store: other, body: { email: member.email, account: 'staff' } },
  ])
  const ofPlatform = await responsesTo([{ body: { email: member.email } }, { body: { email: unknown } }])

  const response = { status: 200, body: { data: null, meta: null, error: null, error_code: null } }
  assert.deepEqual(ofStore, [{ ...response, jobs: [{ name: 'send-password-reset' }] }])
  assert.deepEqual(ofPlatform, [{ ...response, jobs: [{ name: 'forward-staff-reset' }] }])
  assert.deepEqual(
    mailbox
      .mails()
      .map(({ to }) => to[0])
      .sort(),
    [customer.email, member.email].sort(),
  )
})

test('an unverified account receives at most five notices of each type', async () => {
  const store = await buildStore()
  const { email, token } = await buildCustomer(store)
  const programs = ['Curl', 'Wget', 'Lynx', 'Links', 'Dillo', 'Konqueror', 'Netscape']
  const passwords = programs.map((program) => `${program} is my password`)

  let current_password = PASSWORD
  for (const password of passwords) {
    await request('POST /auth/password', { store, token, body: { current_password, password } })
    current_password = password
  }
  const body = { email, password: current_password }
  for (const program of programs)
    assert.equal(
      (await request('POST /auth/login', { store, body, headers: { 'User-Agent': program } })).status,
      200,
    )
  await drainJobs()

  const subjects = mailbox.mails(email).map(({ subject }) => subject)
  const count = (wanted: RegExp) => subjects.filter((subject) => wanted.test(subject)).length
  assert.deepEqual(
    { changes: count(/password .* was changed/), signIns: count(/^New sign-in/), total: subjects.length },
    { changes: 5, signIns: 5, total: 10 },
  )
})

test('an address receives at most five reset links an hour', async () => {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const ask = async () => {
    await request('POST /auth/password/forgot', { store, body: { email } })
    await drainJobs()
  }

  for (let n = 0; n < 7; n++) await ask()
  assert.equal(mailbox.mails(email).length, 5)
  moveClock(HOUR_MS + 1_000)
  await ask()
  assert.equal(mailbox.mails(email).length, 6)
})

test('a reset link expires after one hour', async () => {
  stopClock()
  const store = await buildStore()
  const [early, late] = [await buildCustomer(store), await buildCustomer(store)]
  const [first, second] = [await linkFor(early, store), await linkFor(late, store)]

  moveClock(HOUR_MS - 5_000)
  assert.equal((await reset(first)).status, 200)
  moveClock(HOUR_MS + 5_000)
  assert.deepEqual(outcomeOf(await reset(second)), linkInvalid)
})

test('a new password invalidates earlier reset links', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const [first, second] = [await linkFor(customer, store), await linkFor(customer, store)]

  await reset(second)

  assert.deepEqual(outcomeOf(await reset(first, 'by an old mail')), linkInvalid)
})

test("a reset link with another store's key, or a forged one, returns 400 auth.link_invalid", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const token = await linkFor(await buildCustomer(store), store)
  const forged = [token.slice(0, -1), `${token}A`, `cx_ln_${'A'.repeat(86)}`, `cx_ln_${'_'.repeat(86)}`, 'x']

  assert.deepEqual(outcomeOf(await reset(token, NEW, other)), linkInvalid)
  for (const forgedToken of forged)
    assert.deepEqual({ forgedToken, ...outcomeOf(await reset(forgedToken)) }, { forgedToken, ...linkInvalid })
  assert.equal((await reset(token, NEW, store)).status, 200)
})

test('a reset link of an inactive account returns 400, one of a deleted store 403', async () => {
  const [store, gone] = [await buildStore(), await buildStore()]
  const customer = await buildCustomer(store)
  const [first, second] = [await linkFor(customer, store), await linkFor(await buildCustomer(gone), gone)]
  await inStore(store.id, (tx) => tx.knex('customers').update({ is_active: false }))
  await db()('stores').where('id', gone.id).update({ status: 'deleted' })

  assert.deepEqual(outcomeOf(await reset(first)), linkInvalid)
  assert.deepEqual(outcomeOf(await reset(second)), { status: 403, error_code: 'auth.tenant_unavailable' })
})

test("an invalid body returns 422, a customer's request without a store 401", async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)

  const short = await request('POST /auth/password', {
    store,
    token,
    body: { current_password: '', password: 'short' },
  })
  const forgot = await request('POST /auth/password/forgot', { body: { email: 'nobody', account: 'robot' } })
  const withoutStore = await request('POST /auth/password/forgot', {
    body: { email: 'a@b.example', account: 'customer' },
  })

  assert.deepEqual(
    [short, forgot].map(({ status, detail }) => ({ status, faults: detail.length })),
    [
      { status: 422, faults: 2 },
      { status: 422, faults: 2 },
    ],
  )
  assert.deepEqual(outcomeOf(withoutStore), { status: 401, error_code: 'auth.store_required' })
  assert.equal((await request('POST /auth/password', { store, body: {} })).status, 401)
})

/** A verified customer with a provider that signs in to the account, and one that the store has deactivated. */
async function buildLinked() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const account = { type: 'customer', id: customer.id } as const
  const providers = [
    await buildProvider(store, { name: 'Acme' }),
    await buildProvider(store, { code: 'former', name: 'Former', isActive: false }),
  ]
  await inStore(store.id, async (tx) => {
    await markVerified(tx, customer.id)
    for (const { id } of providers) await linkAccount(tx, { providerId: id, subject: 'ada' }, account)
  })
  return { store, customer }
}

const REMAINS = /Sign-in by Acme still opens the account without this password/

/** Returns the text of the mail about a changed password. */
async function changedMailTo({ email }: BuiltAccount): Promise<string> {
  await drainJobs()
  return mailbox.mails(email).find(({ subject }) => subject.startsWith('Your password'))?.text ?? ''
}

test('the mail after a reset names the active providers that still open the account', async () => {
  const { store, customer } = await buildLinked()

  await reset(await linkFor(customer, store), NEW, store)

  assert.match(await changedMailTo(customer), REMAINS)
})

test('the mail after a change names the active providers that still open the account', async () => {
  const { store, customer } = await buildLinked()
  const body = { current_password: PASSWORD, password: NEW }

  await request('POST /auth/password', { store, token: customer.token, body })

  assert.match(await changedMailTo(customer), REMAINS)
})

test('the mail after a reset that first proves the address names no provider', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { id: providerId } = await buildProvider(store)
  await inStore(store.id, (tx) =>
    linkAccount(tx, { providerId, subject: 'ada' }, { type: 'customer', id: customer.id }),
  )

  await reset(await linkFor(customer, store), NEW, store)

  const text = await changedMailTo(customer)
  assert.match(text, /The password of your account/)
  assert.doesNotMatch(text, /still opens/)
})
