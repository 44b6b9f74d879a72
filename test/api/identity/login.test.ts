import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff, hashAtLessCost } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'

const refused = { status: 401, error_code: 'auth.invalid_credentials' }
const outcomeOf = ({ status, error_code }: { status: number; error_code: string | null }) => ({
  status,
  error_code,
})

const setStatus = (storeId: string, status: string) => db()('stores').where('id', storeId).update({ status })

test('a customer signs in with a store', async () => {
  const store = await buildStore()
  const { id, email, password } = await buildCustomer(store)

  const body = { email: email.toUpperCase(), password }
  const { status, data, headers } = await request('POST /auth/login', { store, body })
  const me = await request('GET /auth/me', { store, token: data.access_token })

  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(
    { expires_in: data.expires_in, id: data.customer.id, staff: data.staff },
    { expires_in: 1800, id, staff: undefined },
  )
  assert.equal(me.data.id, id)
})

test('staff sign in without a store, or with account: staff', async () => {
  const store = await buildStore()
  const { id, email, password } = await buildStaff(store, { role: 'support' })

  const withoutStore = await request('POST /auth/login', { body: { email, password } })
  const inOwnStore = await request('POST /auth/login', { store, body: { email, password, account: 'staff' } })

  assert.deepEqual(
    { id: withoutStore.data.staff.id, expires_in: withoutStore.data.expires_in },
    { id, expires_in: 900 },
  )
  assert.equal(inOwnStore.data.staff.id, id)
})

test('signing in takes 8 statements from a known device, 11 from a new one', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'support' })
  const signIn = (device: string, account: string, { email, password }: typeof member) =>
    countStatements(() =>
      request('POST /auth/login', {
        store,
        headers: { 'User-Agent': device },
        body: { email, password, account },
      }),
    )
  // The least of several: the process has work in the background, too, e.g. a connection that is opened.
  const least = async (devices: string[]) => {
    const counts: Record<string, number[]> = { customer: [], staff: [] }
    for (const device of devices) {
      counts.customer?.push(await signIn(device, 'customer', customer))
      counts.staff?.push(await signIn(device, 'staff', member))
    }
    return { customer: Math.min(...(counts.customer ?? [])), staff: Math.min(...(counts.staff ?? [])) }
  }

  // A known device: the request's store, the credentials' store, the credentials, begin, lock, context, session,
  // commit. A new device adds the quota of notices, the mail and the security event.
  assert.deepEqual(await least(['Firefox', 'Chrome', 'Safari']), { customer: 11, staff: 11 })
  assert.deepEqual(await least(['Firefox', 'Firefox', 'Chrome']), { customer: 8, staff: 8 })
})

test('a customer and a staff member with one address are two accounts', async () => {
  const store = await buildStore()
  const email = 'both@example.test'
  const [customer, member] = [
    await buildCustomer(store, { email }),
    await buildStaff(store, { role: 'sales', email }),
  ]
  const signIn = (account: string) =>
    request('POST /auth/login', { store, body: { email, password: customer.password, account } })

  assert.equal((await signIn('customer')).data.customer.id, customer.id)
  assert.equal((await signIn('staff')).data.staff.id, member.id)
})

test('a wrong password and an unknown address return the same response', async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)

  const wrong = await request('POST /auth/login', { store, body: { email, password: `${password}!` } })
  const unknown = await request('POST /auth/login', { store, body: { email: 'no@one.example', password } })
  const unknownStaff = await request('POST /auth/login', { body: { email, password } })

  assert.deepEqual(
    { wrong: outcomeOf(wrong), unknown: outcomeOf(unknown), unknownStaff: outcomeOf(unknownStaff) },
    { wrong: refused, unknown: refused, unknownStaff: refused },
  )
  assert.equal(wrong.error, unknown.error)
})

test('an inactive account and one without a password return 401 auth.invalid_credentials', async () => {
  const store = await buildStore()
  const inactive = await buildCustomer(store, { isActive: false })
  const withoutPassword = await buildCustomer(store)
  await inStore(store.id, (tx) =>
    tx.knex('customers').where('id', withoutPassword.id).update({ password_hash: null }),
  )

  for (const { email, password } of [inactive, withoutPassword])
    assert.deepEqual(
      outcomeOf(await request('POST /auth/login', { store, body: { email, password } })),
      refused,
    )
})

test('an account of another store returns 401 auth.invalid_credentials', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'owner' })
  const { password } = customer

  const asCustomer = await request('POST /auth/login', {
    store: other,
    body: { email: customer.email, password },
  })
  const asStaff = await request('POST /auth/login', {
    store: other,
    body: { email: member.email, password, account: 'staff' },
  })

  assert.deepEqual(
    { asCustomer: outcomeOf(asCustomer), asStaff: outcomeOf(asStaff) },
    { asCustomer: refused, asStaff: refused },
  )
})

test('a customer without a store returns 401 auth.store_required', async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)

  const answer = await request('POST /auth/login', { body: { email, password, account: 'customer' } })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.store_required' })
})

test('a sign-in to a deleted store returns 403 by key, by domain and for staff', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'owner' })
  const { password } = customer
  const body = { email: customer.email, password }
  await setStatus(store.id, 'deleted')

  const byKey = await request('POST /auth/login', { store, body })
  const asStaff = await request('POST /auth/login', { body: { email: member.email, password } })
  const wrong = await request('POST /auth/login', { body: { email: member.email, password: 'guess' } })
  const text = JSON.stringify(body)
  const byDomain = await rawRequest(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${store.domain}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${text.length}\r\n`,
    text,
  )

  const unavailable = { status: 403, error_code: 'auth.tenant_unavailable' }
  assert.deepEqual(
    { byKey: outcomeOf(byKey), asStaff: outcomeOf(asStaff) },
    { byKey: unavailable, asStaff: unavailable },
  )
  assert.match(byDomain, /^HTTP\/1\.1 403.*auth\.tenant_unavailable/s)
  assert.deepEqual(outcomeOf(wrong), refused)
})

test('a revoked publishable key returns 401 auth.publishable_key_invalid', async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)
  await db()('publishable_keys').where('store_id', store.id).update({ revoked_at: new Date() })

  const answer = await request('POST /auth/login', { store, body: { email, password } })

  assert.deepEqual(outcomeOf(answer), { status: 401, error_code: 'auth.publishable_key_invalid' })
})

test("an origin outside the key's allowed origins returns 403", async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)
  await db()('publishable_keys')
    .where('store_id', store.id)
    .update({ allowed_origins: ['https://shop.example'] })
  const from = (origin: string) =>
    request('POST /auth/login', { store, body: { email, password }, headers: { Origin: origin } })

  assert.equal((await from('https://shop.example')).status, 200)
  assert.deepEqual(outcomeOf(await from('https://evil.example')), {
    status: 403,
    error_code: 'auth.origin_not_allowed',
  })
})

test('an invalid body returns 422 with the fields', async () => {
  const { status, detail } = await request('POST /auth/login', {
    body: { email: 5, password: '', account: 'robot', totp: 1 },
  })

  const faults = detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`)
  assert.equal(status, 422)
  assert.deepEqual(faults.sort(), [
    'body.account: enum',
    'body.email: string_type',
    'body.password: string_too_short',
    'body.totp: extra_forbidden',
  ])
})

test('a sign-in rehashes a password with an old cost, also with ten concurrent sign-ins', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'support' })
  const accounts = [
    { ...customer, table: 'customers', account: 'customer' },
    { ...member, table: 'staff_members', account: 'staff' },
  ]
  for (const { id, email, password, table, account } of accounts) {
    const hashNow = () => inStore(store.id, ({ knex }) => knex(table).where({ id }).first('password_hash'))
    await inStore(store.id, ({ knex }) =>
      knex(table)
        .where({ id })
        .update({ password_hash: hashAtLessCost(password) }),
    )
    const signIn = (given: string) =>
      request('POST /auth/login', { store, body: { email, password: given, account } })

    const wrong = await signIn('not the password')
    const before = await hashNow()
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(password)))
    const after = await hashNow()

    assert.deepEqual(
      { ...outcomeOf(wrong), password_hash: before.password_hash },
      { ...refused, password_hash: hashAtLessCost(password) },
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.match(after.password_hash, /m=19456,t=3,p=1/)
    assert.equal((await signIn(password)).status, 200)
  }
})
