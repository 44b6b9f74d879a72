import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { OauthCode } from '#shared/identity-providers/one-time-code.ts'
import { codeTokens } from '#shared/identity-providers/tokens.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { countNaiveSuccesses, countSuccesses } from '#test/support/races/single-use.ts'

async function buildCode(query: Record<string, string> = {}): Promise<{ store: BuiltStore; code: string }> {
  const store = await buildStore()
  await buildProvider(store)
  const { code = '' } = await new Visitor().signIn(store, buildPerson(), { query })
  return { store, code }
}

const exchange = (store: BuiltStore, body: object): Promise<ApiResponse> =>
  request('POST /auth/oauth/exchange', { store, body })

const codeOf = async (answered: Promise<ApiResponse>): Promise<string | null> => (await answered).error_code

test('of 50 concurrent exchanges of one code, one succeeds', async () => {
  const { store, code } = await buildCode()
  const attempt = async () => {
    const { status, error_code } = await exchange(store, { code })
    if (status !== 200) throw Object.assign(new Error(), { code: error_code })
  }

  assert.equal(await countSuccesses(attempt, 'auth.oauth_code_invalid'), 1)

  const sessions = await inStore(store.id, (tx) => tx.knex('sessions').where({ store_id: store.id }))
  assert.equal(sessions.length, 1)
  const { store: another, code: fresh } = await buildCode()
  const id = codeTokens.read(fresh)?.id ?? ''
  const naive = await countNaiveSuccesses(
    another,
    async (tx) => (await OauthCode.in(tx).findById(id))?.usedAt === null,
    (tx) => OauthCode.in(tx).findById(id).patch({ usedAt: now() }),
  )
  assert.ok(naive > 1, 'without the atomic update several exchanges succeed')
})

test("a code is invalid once the account's link to the provider is removed", async () => {
  const store = await buildStore()
  await buildProvider(store)
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const person = buildPerson()
  const { id: customerId } = await buildCustomer(store, { email: person.email })
  await inStore(store.id, (tx) => markVerified(tx, customerId))
  const { id: memberId } = await buildStaff(store, { role: 'sales', email: person.email })
  const codeFor = async (provider: string) =>
    (await new Visitor().signIn(store, person, { provider })).code ?? ''
  const [customersCode, staffCode] = [await codeFor('acme'), await codeFor('office')]

  for (const path of [`customers/${customerId}`, `users/${memberId}`]) {
    const body = { email: `${path.split('/')[0]}@rescued.example.test` }
    assert.equal((await request(`PATCH /admin/${path}`, { token, body })).status, 200)
  }

  assert.equal(await codeOf(exchange(store, { code: customersCode })), 'auth.oauth_code_invalid')
  assert.equal(await codeOf(exchange(store, { code: staffCode })), 'auth.oauth_code_invalid')
})

test('a code expires after one minute', async () => {
  stopClock()
  const [inTime, late] = [await buildCode(), await buildCode()]

  moveClock(57_000)
  assert.equal(await codeOf(exchange(inTime.store, { code: inTime.code })), null)

  moveClock(60_100)
  assert.equal(await codeOf(exchange(late.store, { code: late.code })), 'auth.oauth_code_invalid')
})

test('a code is valid only in its own store', async () => {
  const { store, code } = await buildCode()

  assert.equal(await codeOf(exchange(await buildStore(), { code })), 'auth.oauth_code_invalid')
  assert.equal(await codeOf(exchange(store, { code })), null)
})

test('a code of an inactive provider returns auth.oauth_code_invalid', async () => {
  const { store, code } = await buildCode()
  const setActive = (isActive: boolean) =>
    inStore(store.id, (tx) => IdentityProvider.in(tx).patch({ isActive }))

  await setActive(false)
  assert.equal(await codeOf(exchange(store, { code })), 'auth.oauth_code_invalid')

  await setActive(true)
  assert.equal(await codeOf(exchange(store, { code })), null)
})

test('a code that was never issued returns auth.oauth_code_invalid', async () => {
  const { store, code } = await buildCode()
  const changed = code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A')

  for (const wrong of ['x', changed, `cx_oc_${'x'.repeat(86)}`, ` ${code}`])
    assert.equal(await codeOf(exchange(store, { code: wrong })), 'auth.oauth_code_invalid', wrong)
})

test('a code issued with a challenge requires the matching verifier', async () => {
  const verifier = 'a-verifier-that-an-app-keeps-to-itself-until-now'
  const code_challenge = sha256(verifier).toString('base64url')
  const { store, code } = await buildCode({ code_challenge, code_challenge_method: 'S256' })

  const without = await codeOf(exchange(store, { code }))
  const wrong = await codeOf(exchange(store, { code, code_verifier: `${verifier}-not` }))
  const right = await codeOf(exchange(store, { code, code_verifier: verifier }))

  assert.deepEqual(
    { without, wrong, right },
    { without: 'auth.oauth_code_invalid', wrong: 'auth.oauth_code_invalid', right: null },
  )
})

test('a verifier for a code without a challenge returns auth.oauth_code_invalid', async () => {
  const { store, code } = await buildCode()
  const code_verifier = 'x'.repeat(43)

  assert.equal(await codeOf(exchange(store, { code, code_verifier })), 'auth.oauth_code_invalid')
})

test('the database holds no plain-text codes, states or secrets', async () => {
  const { store, code } = await buildCode()

  const rows = await inStore(store.id, async (tx) => [
    ...(await tx.knex('oauth_codes')),
    ...(await tx.knex('oauth_attempts')),
    ...(await tx.knex('identity_providers')),
  ])

  assert.equal(rows.length, 3)
  const text = JSON.stringify(rows)
  for (const secret of [code, 'sandbox-identity-provider-client']) assert.ok(!text.includes(secret))
})
