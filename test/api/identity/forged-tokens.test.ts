import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import '#test/support/database.ts'
import jwt from 'jsonwebtoken'
import { type TokenKey, tokenKeys } from '#shared/identity/sessions/token-keys.ts'
import { newId } from '#shared/platform/db/id.ts'
import { type BuiltAccount, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'

const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const notAuthenticated = { status: 401, error_code: 'auth.not_authenticated' }
const revoked = { status: 401, error_code: 'auth.session_revoked' }

const [[kid, { access: key }]] = [...tokenKeys()] as [[string, TokenKey]]
const seconds = () => Math.floor(Date.now() / 1000)

type Payload = Record<string, unknown>
const payloadOf = (token: string) => jwt.decode(token) as Payload
const without = (payload: Payload, name: string) => {
  const { [name]: _, ...rest } = payload
  return rest
}

/** Signs with the service's key, so the claims alone decide. */
const sign = (payload: Payload, options: jwt.SignOptions = {}) =>
  jwt.sign(payload, key, { algorithm: 'HS256', keyid: kid, ...options })

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs payloads that the library refuses to sign. */
function signAnything(payload: unknown): string {
  const content = `${base64({ alg: 'HS256', typ: 'JWT', kid })}.${base64(payload as object)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

function forge(payload: Payload): Record<string, string> {
  const signed = sign(payload)
  const [head, body, signature] = signed.split('.')
  const header = (given: object) =>
    sign(payload, { header: { alg: 'HS256', kid, ...given } as jwt.JwtHeader })
  return {
    'algorithm none': `${base64({ alg: 'none', typ: 'JWT', kid })}.${body}.`,
    'algorithm none, signed': `${base64({ alg: 'none', typ: 'JWT', kid })}.${body}.${signature}`,
    'algorithm HS512': sign(payload, { algorithm: 'HS512' }),
    'algorithm HS384': sign(payload, { algorithm: 'HS384' }),
    'another key': jwt.sign(payload, randomBytes(32), { keyid: kid }),
    'unknown kid': sign(payload, { keyid: 'other' }),
    'kid of a prototype': sign(payload, { keyid: 'constructor' }),
    'no kid': jwt.sign(payload, key),
    'no signature': `${head}.${body}.`,
    'no signature, no dot': `${head}.${body}`,
    'changed payload': `${head}.${base64({ ...payload, sub: newId() })}.${signature}`,
    'unknown critical extension': header({ crit: ['exp'] }),
    'empty critical extension': header({ crit: [] }),
    'no exp': sign(without(payload, 'exp')),
    'exp as text': signAnything({ ...payload, exp: String(payload.exp) }),
    'exp null': signAnything({ ...payload, exp: null }),
    'no iat': sign(without(payload, 'iat'), { noTimestamp: true }),
    'iat in the future': sign({ ...payload, iat: seconds() + 60 }),
    'not valid yet': sign({ ...payload, nbf: seconds() + 60 }),
    'no issuer': sign(without(payload, 'iss')),
    'other issuer': sign({ ...payload, iss: 'elsewhere' }),
    'no audience': sign(without(payload, 'aud')),
    'other audience': sign({ ...payload, aud: 'elsewhere' }),
    'no session': sign(without(payload, 'sid')),
    'invalid session id': sign({ ...payload, sid: "' or true --" }),
    'no account': sign(without(payload, 'sub')),
    // Platform tokens have no store.
    ...(payload.tenant_id ? { 'no store': sign(without(payload, 'tenant_id')) } : {}),
    'audience of the other token type': sign({
      ...payload,
      aud: payload.aud === 'commerce' ? 'commerce-platform' : 'commerce',
    }),
    'no type': sign(without(payload, 'typ')),
    'refresh type': sign({ ...payload, typ: 'refresh' }),
    'type of a prototype': sign({ ...payload, typ: 'constructor' }),
    'malformed token': 'not.a.token',
    'a list of claims': signAnything([payload]),
    'claims as text': signAnything('claims'),
    'claims that are no JSON': `${base64({ alg: 'HS256', typ: 'JWT', kid })}.${btoa('claims')}.${signature}`,
    'claims that are no JSON, unknown kid': `${base64({ typ: 'JWT' })}.${btoa('claims')}.x`,
  }
}

async function assertAllRefused(
  account: BuiltAccount,
  { store, path = '/auth/me' }: { store?: BuiltStore; path?: string } = {},
): Promise<void> {
  const payload = payloadOf(account.token)
  const ask = (token: string) => request(`GET ${path}`, { ...(store && { store }), token })
  for (const genuine of [sign(payload), signAnything(payload)])
    assert.equal((await ask(genuine)).status, 200, 'control')
  const forged = { ...forge(payload), 'refresh token': account.refreshToken }
  for (const [form, token] of Object.entries(forged)) {
    const answer = await ask(token)
    assert.deepEqual({ form, ...outcomeOf(answer) }, { form, ...notAuthenticated })
  }
}

test('a forged customer token returns 401 auth.not_authenticated', async () => {
  const store = await buildStore()
  await assertAllRefused(await buildCustomer(store), { store })
})

test('a forged staff token returns 401 auth.not_authenticated', async () => {
  await assertAllRefused(await buildStaff(await buildStore(), { role: 'owner' }))
})

test('a forged super-admin token returns 401 auth.not_authenticated', async () => {
  await assertAllRefused(await buildSuperAdmin(), { path: '/super-admin/auth/me' })
})

test('a token whose account, type or store differs from its session returns 401', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const customer = await buildCustomer(store)
  const member = await buildStaff(store, { role: 'owner' })
  const payload = payloadOf(customer.token)
  const ask = async (changes: object, named: BuiltStore = store) =>
    outcomeOf(await request('GET /auth/me', { store: named, token: sign({ ...payload, ...changes }) }))

  assert.deepEqual(await ask({ sub: (await buildCustomer(store)).id }), revoked)
  assert.deepEqual(await ask({ sub: member.id, typ: 'staff' }), revoked)
  assert.deepEqual(await ask({ sid: newId() }), revoked)
  assert.deepEqual(await ask({ tenant_id: other.id }, other), revoked)
  assert.deepEqual(await ask({ tenant_id: newId() }), notAuthenticated)
})

test("a customer's token with another store's key returns 401", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { token } = await buildCustomer(store)

  assert.deepEqual(outcomeOf(await request('GET /auth/me', { store: other, token })), notAuthenticated)
})

test('an access token expires after 30 minutes for customers and 15 for staff', async () => {
  const store = await buildStore()
  const [customer, member] = [await buildCustomer(store), await buildStaff(store, { role: 'owner' })]
  const expired = { code: 'auth.token_expired' }

  moveClock(14.9 * 60_000)
  verifyAccessToken(member.token)
  moveClock(15.1 * 60_000)
  assert.throws(() => verifyAccessToken(member.token), expired)

  moveClock(29.9 * 60_000)
  verifyAccessToken(customer.token)
  moveClock(30.1 * 60_000)
  assert.throws(() => verifyAccessToken(customer.token), expired)
  assert.deepEqual(outcomeOf(await request('GET /auth/me', { store, token: customer.token })), {
    status: 401,
    error_code: 'auth.token_expired',
  })
})

test('a missing or malformed Bearer header returns 401 auth.not_authenticated', async () => {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const ask = async (authorization: string) =>
    outcomeOf(await request('GET /auth/me', { store, headers: { Authorization: authorization } }))

  assert.deepEqual(outcomeOf(await request('GET /auth/me', { store })), notAuthenticated)
  for (const header of [token, `Basic ${token}`, `Bearer ${token} x`, 'Bearer', `Bearer ${token},${token}`])
    assert.deepEqual(await ask(header), notAuthenticated)
})
