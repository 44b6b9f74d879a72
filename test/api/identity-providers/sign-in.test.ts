import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { changeEmail } from '#shared/identity/email-change/change-email.ts'
import { issueLink } from '#shared/identity/links/link.ts'
import '#test/support/database.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { Customer } from '#shared/customers/customer.ts'
import { readLinkToken } from '#shared/identity/links/link.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor, codeOf, STEP_MS, wrongCode } from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { Visitor } from '#test/support/processes/visitor.ts'

function limitCodes(perMinute: number, failures = 0): void {
  Object.assign(process.env, { LIMIT_CODES: String(perMinute), LIMIT_FAILURES: String(failures) })
  resetConfig()
}

afterEach(() => limitCodes(0))

async function buildShop() {
  const store = await buildStore()
  await buildProvider(store)
  return store
}

async function buildVerified(store: BuiltStore, given: { email?: string } = {}): Promise<BuiltAccount> {
  const customer = await buildCustomer(store, given)
  await inStore(store.id, (tx) => markVerified(tx, customer.id))
  return customer
}

const exchange = (store: { key: string }, body: object, cart?: string) =>
  request('POST /auth/oauth/exchange', { store, body, ...(cart ? { cart } : {}) })

/** Completes a sign-in from a new browser. */
async function signIn(store: BuiltStore, person: { sub: string }, provider = 'acme') {
  const { code } = await new Visitor().signIn(store, person, { provider })
  return exchange(store, { code })
}

const errorOf = async (store: BuiltStore, person: { sub: string } | null, provider = 'acme') =>
  (await new Visitor().signIn(store, person, { provider })).error

const countCustomers = (store: BuiltStore) => inStore(store.id, (tx) => Customer.in(tx).resultSize())

test('a first sign-in creates a verified account without a password', async () => {
  const store = await buildShop()
  const person = buildPerson({ given_name: 'Grace', family_name: 'Hopper' })

  const found = await new Visitor().signIn(store, person, { query: { state: 'mine' } })
  const { status, data, headers } = await exchange(store, { code: found.code })

  assert.deepEqual(Object.keys(found), ['from', 'code', 'state'])
  assert.equal(found.state, 'mine')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  const { email, firstname, lastname, verified_at } = data.customer
  assert.deepEqual(
    { email, firstname, lastname },
    { email: person.email, firstname: 'Grace', lastname: 'Hopper' },
  )
  assert.ok(verified_at)
  const me = await request('GET /auth/me', { store, token: data.access_token })
  assert.equal(me.data.id, data.customer.id)
  const body = { email: person.email, password: 'no such password' }
  const { error_code } = await request('POST /auth/login', { store, body })
  assert.equal(error_code, 'auth.invalid_credentials')
})

test('a returning person is identified by subject, even after an address change at the provider', async () => {
  const store = await buildShop()
  const person = buildPerson()
  const { data: first } = await signIn(store, person)
  person.email = 'another@people.example.test'
  person.email_verified = false

  const { data: second } = await signIn(store, person)

  assert.equal(second.customer.id, first.customer.id)
  assert.equal(await countCustomers(store), 1)
})

/** Changes the address of a customer as the customer does. */
async function moveCustomer(store: BuiltStore, id: string, email: string): Promise<void> {
  const account = { type: 'customer', id } as const
  const device = { ip: null, userAgent: null }
  await inStore(store.id, async (tx) => {
    const link = await issueLink(tx, account, 'change_email', { email })
    await changeEmail(tx, readLinkToken(link?.token ?? ''), { account, keep: newId(), device })
  })
}

test('an own change of the address to another mailbox unlinks the person with the former address', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)
  const person = buildPerson({ email: customer.email })
  await signIn(store, person)

  await moveCustomer(store, customer.id, 'moved-on@people.example.test')

  const [former, next] = [
    await signIn(store, person),
    await signIn(store, buildPerson({ email: 'moved-on@people.example.test' })),
  ]
  assert.notEqual(former.data.customer.id, customer.id)
  assert.equal(next.data.customer.id, customer.id)
  await drainJobs()
  const mail = mailbox.mails(customer.email).find(({ subject }) => subject.startsWith('Your e-mail address'))
  assert.match(mail?.text ?? '', /sessions were closed, and the sign-ins by other services were removed\./)
})

test('an account stays linked after its own address changes to another spelling', async () => {
  const store = await buildShop()
  const person = buildPerson()
  const { data } = await signIn(store, person)
  const email = data.customer.email.toUpperCase()

  await moveCustomer(store, data.customer.id, email)

  const again = await signIn(store, person)
  assert.partialDeepStrictEqual(again.data.customer, { id: data.customer.id, email })
  await drainJobs()
  const mail = mailbox.mails(data.customer.email).find(({ text }) => text.includes(email))
  assert.match(mail?.text ?? '', /sessions were closed\./)
})

test('a customer with the same verified address signs in to the existing account', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store, { email: 'Ada.Known@People.Example.Test' })

  const { data } = await signIn(store, buildPerson({ email: 'ada.known@people.example.test' }))

  assert.equal(data.customer.id, customer.id)
})

test('a different address that the database compares as equal does not open the account', async () => {
  const store = await buildShop()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  await buildVerified(store, { email: 'mike@people.example.test' })
  await buildStaff(store, { role: 'sales', email: 'kim@people.example.test' })

  const customer = buildPerson({ email: 'ｍike@people.example.test' })
  const member = buildPerson({ email: 'ｋim@people.example.test' })

  assert.equal(await errorOf(store, customer), 'auth.email_taken')
  assert.equal(await errorOf(store, member, 'office'), 'auth.oauth_account_unavailable')
})

test('an account with an unverified address returns auth.oauth_password_required until it is verified', async () => {
  const store = await buildShop()
  const customer = await buildCustomer(store)
  const person = buildPerson({ email: customer.email })

  assert.equal(await errorOf(store, person), 'auth.oauth_password_required')

  await inStore(store.id, (tx) => markVerified(tx, customer.id))
  const { data } = await signIn(store, person)
  assert.equal(data.customer.id, customer.id)
})

test('an address unverified at the provider neither opens nor creates an account', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)

  const unverified = { email_verified: false }
  assert.equal(
    await errorOf(store, buildPerson({ ...unverified, email: customer.email })),
    'auth.oauth_email_unverified',
  )
  assert.equal(await errorOf(store, buildPerson(unverified)), 'auth.oauth_email_unverified')
  assert.equal(await countCustomers(store), 1)
})

test('a provider without the email scope returns auth.oauth_email_unverified', async () => {
  const store = await buildStore()
  await buildProvider(store, { scopes: ['profile'] })

  assert.equal(await errorOf(store, buildPerson()), 'auth.oauth_email_unverified')
})

test('another subject with the address of a linked account gets auth.oauth_linked_elsewhere', async () => {
  const store = await buildShop()
  const before = buildPerson()
  await signIn(store, before)

  const error = await errorOf(store, buildPerson({ email: before.email }))

  assert.equal(error, 'auth.oauth_linked_elsewhere')
})

test('concurrent first sign-ins from three browsers create one account', async () => {
  const store = await buildShop()
  const person = buildPerson()
  const visitors = [new Visitor(), new Visitor(), new Visitor()]
  const callbacks = await Promise.all(
    visitors.map(async (visitor) => visitor.signInAt(await visitor.begin(store), person)),
  )

  const found = await Promise.all(visitors.map((visitor, n) => visitor.comeBack(callbacks[n] ?? '')))

  assert.deepEqual(
    found.map(({ error }) => error),
    [undefined, undefined, undefined],
  )
  assert.equal(await countCustomers(store), 1)
})

test('one person has separate accounts in two stores', async () => {
  const [here, there] = [await buildShop(), await buildShop()]
  const person = buildPerson()

  const [{ data: one }, { data: other }] = [await signIn(here, person), await signIn(there, person)]

  assert.notEqual(one.customer.id, other.customer.id)
  const { error_code } = await request('GET /auth/me', { store: there, token: one.access_token })
  assert.equal(error_code, 'auth.not_authenticated')
})

test("signing in merges the guest's cart", async () => {
  const store = await buildShop()
  const item = { productId: (await buildProduct(store)).id, quantity: 2 }
  const { token: cart = '' } = await inStore(store.id, (tx) =>
    addCartItem(tx, { customerId: null, cartToken: null }, item),
  )
  const { code } = await new Visitor().signIn(store, buildPerson())

  const { data } = await exchange(store, { code }, cart)

  const { data: merged } = await request('GET /cart', { store, token: data.access_token })
  assert.deepEqual(
    merged.items.map(({ quantity }: { quantity: number }) => quantity),
    [2],
  )
})

test('the exchange requires the second factor; a failed try leaves the code usable', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  const { code } = await new Visitor().signIn(store, buildPerson({ email: customer.email }))
  moveClock(STEP_MS)

  const without = await exchange(store, { code })
  const wrong = await exchange(store, { code, totp_code: wrongCode(secret) })
  const right = await exchange(store, { code, totp_code: codeOf(secret) })
  const again = await exchange(store, { code, totp_code: codeOf(secret) })

  assert.deepEqual(
    [without, wrong, right, again].map(({ error_code }) => error_code),
    ['auth.totp_required', 'auth.totp_invalid', null, 'auth.oauth_code_invalid'],
  )
  assert.equal(right.data.customer.id, customer.id)
})

test('the limit on TOTP codes counts password sign-ins and exchanges of one account together', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  const { code } = await new Visitor().signIn(store, buildPerson({ email: customer.email }))
  const body = { email: customer.email, password: PASSWORD, totp_code: wrongCode(secret) }
  limitCodes(2)

  for (const _ of [1, 2]) await request('POST /auth/login', { store, body })
  const counted = await exchange(store, { code, totp_code: codeOf(secret) })
  const guessed = await exchange(store, { code: `cx_oc_${'x'.repeat(86)}`, totp_code: '000000' })

  assert.equal(counted.error_code, 'rate_limit.exceeded')
  assert.equal(guessed.error_code, 'auth.oauth_code_invalid')
})

test('past the limit on wrong codes only known devices can sign in; a session is not exempt', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  moveClock(STEP_MS)
  const { code } = await new Visitor().signIn(store, buildPerson({ email: customer.email }))
  limitCodes(0, 2)
  const from = (device: string, totp_code: string) =>
    request('POST /auth/oauth/exchange', {
      store,
      headers: { 'User-Agent': device },
      body: { code, totp_code },
    })

  const guesses = ['one', 'two', 'three'].map((letters) => from(letters, wrongCode(secret)))
  const codes = (await Promise.all(guesses)).map(({ error_code }) => error_code).sort()
  const stranger = await from('four', codeOf(secret))
  const { token } = customer
  const body = { current_password: PASSWORD, totp_code: codeOf(secret) }
  const inSession = await request('POST /auth/2fa/disable', { store, token, body })
  const known = await from('test', codeOf(secret))

  assert.deepEqual(codes, ['auth.totp_invalid', 'auth.totp_invalid', 'rate_limit.exceeded'])
  assert.equal(stranger.error_code, 'rate_limit.exceeded')
  assert.equal(inSession.error_code, 'rate_limit.exceeded')
  assert.equal(known.status, 200)
})

test('a recovery code replaces the TOTP code', async () => {
  const store = await buildShop()
  const customer = await buildVerified(store)
  const { recoveryCodes } = await buildTwoFactor(store, { type: 'customer', id: customer.id })
  const { code } = await new Visitor().signIn(store, buildPerson({ email: customer.email }))

  const { status } = await exchange(store, { code, recovery_code: recoveryCodes[0] })

  assert.equal(status, 200)
})

test('an inactive customer gets auth.oauth_account_unavailable', async () => {
  const store = await buildShop()
  const person = buildPerson()
  const { data } = await signIn(store, person)
  const { code } = await new Visitor().signIn(store, person)
  await inStore(store.id, (tx) => Customer.in(tx).findById(data.customer.id).patch({ isActive: false }))

  assert.equal(await errorOf(store, person), 'auth.oauth_account_unavailable')
  assert.equal((await exchange(store, { code })).error_code, 'auth.oauth_account_unavailable')
})

test('cancelling at the provider redirects with auth.oauth_denied and the client state', async () => {
  const store = await buildShop()

  const found = await new Visitor().signIn(store, null, { query: { state: 'mine' } })

  assert.equal(found.error, 'auth.oauth_denied')
  assert.ok(found.error_description)
  assert.equal(found.state, 'mine')
})

test('staff sign in with a provider for staff without a publishable key', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const member = await buildStaff(store, { role: 'sales' })
  const person = buildPerson({ email: member.email })
  const { code } = await new Visitor().signIn(store, person, { provider: 'office' })

  const { status, data } = await request('POST /auth/oauth/exchange', { body: { code } })

  assert.equal(status, 200)
  assert.equal(data.staff.id, member.id)
  const { data: me } = await request('GET /auth/me', { token: data.access_token })
  assert.equal(me.account, 'staff')
})

test('staff who sign in with a provider may change roles for an hour, and again after another sign-in', async () => {
  const store = await buildShop()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { email } = await buildStaff(store, { role: 'owner' })
  const person = buildPerson({ email })
  const createRole = (token: string, name: string) =>
    request('POST /admin/roles', { token, body: { name, rights: [] } })
  const { data: first } = await signIn(store, person, 'office')
  assert.equal((await createRole(first.access_token, 'first')).status, 201)

  moveClock(61 * MINUTE_MS)
  const { refresh_token } = first
  const { data: renewed } = await request('POST /auth/refresh', { body: { refresh_token } })
  const refused = await createRole(renewed.access_token, 'second')
  const { data: second } = await signIn(store, person, 'office')

  assert.equal(refused.error_code, 'auth.reauthentication_required')
  assert.equal((await createRole(second.access_token, 'second')).status, 201)
})

test('a staff member added beside a deactivated account with the address signs in to the new account', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const former = await buildStaff(store, { role: 'sales' })
  await request(`PATCH /admin/users/${former.id}`, { token, body: { is_active: false } })
  const added = await buildStaff(store, { role: 'sales', email: former.email })
  const person = buildPerson({ email: former.email })

  const { code } = await new Visitor().signIn(store, person, { provider: 'office' })
  const { data } = await request('POST /auth/oauth/exchange', { body: { code } })

  assert.equal(data.staff.id, added.id)
})

test('a deactivation unlinks the identity: it signs in to the new account of the person', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const former = await buildStaff(store, { role: 'sales' })
  const person = buildPerson({ email: former.email })
  assert.equal((await signIn(store, person, 'office')).data.staff.id, former.id)

  await request(`PATCH /admin/users/${former.id}`, { token, body: { is_active: false } })
  const added = await buildStaff(store, { role: 'sales', email: former.email })

  assert.equal((await signIn(store, person, 'office')).data.staff.id, added.id)
})

test('a reactivation does not link the identity again', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const { id, email } = await buildStaff(store, { role: 'sales' })
  assert.equal((await signIn(store, buildPerson({ email }), 'office')).status, 200)
  const links = () => inStore(store.id, (tx) => tx.knex('identity_links').where({ account_id: id }))
  assert.equal((await links()).length, 1)

  await request(`PATCH /admin/users/${id}`, { token, body: { is_active: false } })
  const reactivated = await request(`PATCH /admin/users/${id}`, { token, body: { is_active: true } })

  assert.equal(reactivated.status, 200)
  assert.deepEqual(await links(), [])
})

test('a staff member removed and added again signs in to the new account', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const owner = await buildStaff(store, { role: 'owner' })
  const former = await buildStaff(store, { role: 'sales' })
  const person = buildPerson({ email: former.email })
  const signIn = async () => {
    const { code } = await new Visitor().signIn(store, person, { provider: 'office' })
    return (await request('POST /auth/oauth/exchange', { body: { code } })).data?.staff.id
  }
  assert.equal(await signIn(), former.id)

  await request(`DELETE /admin/users/${former.id}`, { token: owner.token })
  const again = await buildStaff(store, { role: 'sales', email: former.email })

  assert.equal(await signIn(), again.id)
})

test('an email change by an administrator unlinks the person with the former address', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const { id, email } = await buildStaff(store, { role: 'sales' })
  const [former, next] = [buildPerson({ email }), buildPerson()]
  const move = (to: string) => request(`PATCH /admin/users/${id}`, { token, body: { email: to } })
  assert.equal((await signIn(store, former, 'office')).status, 200)

  await move(email.toUpperCase())
  const sameMailbox = await signIn(store, former, 'office')
  await move(next.email ?? '')

  assert.equal(sameMailbox.status, 200)
  assert.equal(await errorOf(store, former, 'office'), 'auth.oauth_account_unavailable')
  assert.equal((await signIn(store, next, 'office')).data.staff.id, id)
})

test('a provider for staff creates no staff account', async () => {
  const [store, elsewhere] = [await buildStore(), await buildStore()]
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const customer = await buildVerified(store)
  const stranger = await buildStaff(elsewhere, { role: 'administrator' })

  for (const { email } of [customer, stranger, buildPerson()])
    assert.equal(
      await errorOf(store, buildPerson({ email }), 'office'),
      'auth.oauth_account_unavailable',
      email,
    )
})

test("a provider for customers creates a customer account for a staff member's address", async () => {
  const store = await buildShop()
  const member = await buildStaff(store, { role: 'owner' })

  const { data } = await signIn(store, buildPerson({ email: member.email }))

  assert.equal(data.staff, undefined)
  assert.equal(data.customer.email, member.email)
})

test('the list shows the active providers of an audience by position', async () => {
  const store = await buildStore()
  await buildProvider(store, { code: 'second', name: 'Second', position: 2 })
  await buildProvider(store, { code: 'acme', name: 'First', position: 1 })
  await buildProvider(store, { code: 'off', isActive: false })
  await buildProvider(store, { code: 'office', audience: 'staff' })

  const { data } = await request('GET /auth/oauth/providers', { store })
  const { data: forStaff } = await request('GET /auth/oauth/providers?audience=staff', { store })

  assert.deepEqual(data, [
    { code: 'acme', name: 'First' },
    { code: 'second', name: 'Second' },
  ])
  assert.deepEqual(
    forStaff.map(({ code }: { code: string }) => code),
    ['office'],
  )
})
