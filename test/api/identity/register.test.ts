import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

const newCustomer = (given: object = {}) => ({
  email: `new-${nextNumber()}@example.test`,
  password: 'correct horse',
  firstname: 'Ada',
  lastname: 'Byron',
  ...given,
})

test('registration creates an account and a session', async () => {
  const store = await buildStore()
  const body = newCustomer({ telephone: '+49 30 901820', accepts_marketing: true })

  const { status, data, headers } = await request('POST /auth/register', { store, body })
  const me = await request('GET /auth/me', { store, token: data.access_token })

  assert.equal(status, 201)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.partialDeepStrictEqual(data, { token_type: 'Bearer', expires_in: 1800 })
  assert.equal(data.customer.email, body.email)
  assert.equal(data.customer.telephone, '+49 30 901820')
  assert.equal(me.data.id, data.customer.id)
  assert.equal(me.data.accepts_marketing, true)
})

test('registration records one customer.created event; a refused one records none', async () => {
  const store = await buildStore()
  const body = newCustomer()

  const { data } = await request('POST /auth/register', { store, body })
  await request('POST /auth/register', { store, body })

  const events = await inStore(store.id, (tx) => tx.knex('events').select('type', 'data'))
  assert.deepEqual(events, [{ type: 'customer.created', data: { ...data.customer, metadata: {} } }])
})

test('the database stores only hashes of the password and the refresh token', async () => {
  const store = await buildStore()
  const { data } = await request('POST /auth/register', { store, body: newCustomer() })

  const [customer, session] = await inStore(store.id, async (tx) => [
    await tx.knex('customers').first(),
    await tx.knex('sessions').first(),
  ])

  assert.match(customer.password_hash, /^\$argon2id\$v=19\$m=19456,t=3,p=1\$/)
  assert.equal(session.token_hash.length, 32)
  assert.ok(!JSON.stringify(session).includes(data.refresh_token))
})

test('a taken address in another case or character width returns 409 auth.email_taken', async () => {
  const store = await buildStore()
  const { email } = await buildCustomer(store, { email: 'ada.straße@example.test' })

  for (const other of [email.toUpperCase(), 'ADA.STRASSE@example.test', 'ａda.straße@example.test']) {
    const answer = await request('POST /auth/register', { store, body: newCustomer({ email: other }) })
    assert.deepEqual(
      { other, status: answer.status, error_code: answer.error_code },
      { other, status: 409, error_code: 'auth.email_taken' },
    )
  }
})

test('one of ten concurrent registrations with one address succeeds, nine return 409', async () => {
  const store = await buildStore()
  const body = newCustomer()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => request('POST /auth/register', { store, body })),
  )

  const codes = answers.map(({ status, error_code }) => `${status} ${error_code}`).sort()
  assert.deepEqual(codes, ['201 null', ...Array(9).fill('409 auth.email_taken')])
})

test('the same address can register in another store', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const body = newCustomer()
  await request('POST /auth/register', { store, body })

  const { status } = await request('POST /auth/register', { store: other, body })

  assert.equal(status, 201)
})

test('registration without a store returns 401 auth.store_required', async () => {
  const { status, error_code } = await request('POST /auth/register', { body: newCustomer() })

  assert.deepEqual({ status, error_code }, { status: 401, error_code: 'auth.store_required' })
})

test('an invalid registration returns 422 with every invalid field', async () => {
  const store = await buildStore()
  const body = {
    email: 'ada@example',
    password: 'short',
    firstname: ' ',
    telephone: null,
    accepts_marketing: 'yes',
    is_owner: true,
  }

  const { status, error_code, detail } = await request('POST /auth/register', { store, body })

  const faults = detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`)
  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' })
  assert.deepEqual(faults.sort(), [
    'body.accepts_marketing: bool_type',
    'body.email: string_pattern_mismatch',
    'body.firstname: string_pattern_mismatch',
    'body.is_owner: extra_forbidden',
    'body.lastname: missing',
    'body.password: string_too_short',
    'body.telephone: string_type',
  ])
})

test('an address with a second header or recipient returns 422', async () => {
  const store = await buildStore()
  const hostile = [
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example, c@d.example',
    'Ada <a@b.example>',
    'a b@c.example',
    '@b.example',
    'a@@b.example',
  ]

  for (const email of hostile) {
    const { status } = await request('POST /auth/register', { store, body: newCustomer({ email }) })
    assert.deepEqual({ email, status }, { email, status: 422 })
  }
})

test('a name with line breaks or bidirectional controls returns 422', async () => {
  const store = await buildStore()
  const register = async (firstname: string) =>
    (await request('POST /auth/register', { store, body: newCustomer({ firstname }) })).error_code

  for (const name of ['Ada\nYour parcel waits: evil.example', 'Ada\r', 'Ada\u2028', 'Ada\u202e', '\t', ' '])
    assert.equal(await register(name), 'validation.failed', JSON.stringify(name))
  for (const name of ['Ada Zoë', 'עדה', "D'Arcy-Ö", '👩‍🚀']) assert.equal(await register(name), null, name)
})

test('a password has 8 to 128 characters, and an emoji counts as one', async () => {
  const store = await buildStore()
  const register = async (password: string) =>
    (await request('POST /auth/register', { store, body: newCustomer({ password }) })).status

  assert.equal(await register('🐴'.repeat(7)), 422)
  assert.equal(await register('🐴'.repeat(8)), 201)
  assert.equal(await register('🐴'.repeat(128)), 201)
  assert.equal(await register('🐴'.repeat(129)), 422)
})

test('an address in full-width characters, which compares equal to the ordinary one, returns 422', async () => {
  const store = await buildStore()
  const body = newCustomer({ email: '\uff56ictor@example.test' })

  const { status, detail } = await request('POST /auth/register', { store, body })

  assert.deepEqual({ status, loc: detail?.[0]?.loc }, { status: 422, loc: ['body', 'email'] })
})
