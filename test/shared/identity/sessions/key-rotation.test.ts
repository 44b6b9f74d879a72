import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { verifyAccessToken, verifyPlatformToken } from '#shared/identity/sessions/access-token.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { refreshSession } from '#shared/identity/sessions/refresh-session.ts'
import type { TokenPair } from '#shared/identity/sessions/token-pair.ts'
import '#test/support/database.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { openSupportSession } from '#shared/super-admin/open-support-session.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { buildKey, useKeys } from '#test/support/keys.ts'

const device = { ip: null, userAgent: null }
const [old, fresh] = [buildKey('old'), buildKey('new')]

beforeEach(() => useKeys('TOKEN_KEYS', old))
/** A deployment adds the new key before the old one, then removes the old one. */
const addKey = () => useKeys('TOKEN_KEYS', fresh, old)
const dropOldKey = () => useKeys('TOKEN_KEYS', fresh)

/** One session of each account type, with its tokens and a function that rotates them. */
async function buildSessions() {
  const store = await buildStore()
  const accounts = [
    { type: 'customer', id: (await buildCustomer(store)).id },
    { type: 'staff', id: (await buildStaff(store, { role: 'sales' })).id },
  ] as const
  const rotate = (presented: string) => {
    const token = readRefreshToken(presented)
    assert.ok(token)
    return inScope(token.storeId, (tx) => refreshSession(tx, token, device))
  }
  const { id: rootId } = await buildSuperAdmin()
  return [
    { pair: await inStore(store.id, (tx) => openSession(tx, accounts[0], device)), rotate },
    { pair: await inStore(store.id, (tx) => openSession(tx, accounts[1], device)), rotate },
    {
      pair: await inScope(null, (tx) => openSession(tx, { type: 'super_admin', id: rootId }, device)),
      rotate,
    },
  ]
}

type Rotate = (presented: string) => Promise<TokenPair | CodedError>

async function next(rotate: Rotate, token: string): Promise<string> {
  const outcome = await rotate(token)
  assert.ok(!(outcome instanceof CodedError))
  return outcome.refreshToken
}

test('an access token of an older key is valid until the key is removed', async () => {
  const [customer, , root] = await buildSessions()
  addKey()

  verifyAccessToken(customer?.pair.accessToken ?? '')
  verifyPlatformToken(root?.pair.accessToken ?? '')

  dropOldKey()
  const refused = AuthErrors.notAuthenticated()
  assert.throws(() => verifyAccessToken(customer?.pair.accessToken ?? ''), refused)
  assert.throws(() => verifyPlatformToken(root?.pair.accessToken ?? ''), refused)
})

test('every access token expires within an hour', async () => {
  const [customer, staff] = await buildSessions()
  const store = await buildStore()
  const root = await buildSuperAdmin()
  const { sessionId } = verifyPlatformToken(root.token)
  const visit = { superAdmin: { ...root, sessionId }, reason: 'Ticket 1', minutes: 60 }
  const support = await inStore(store.id, (tx) => openSupportSession(tx, visit, device))

  moveClock(HOUR_MS)

  for (const token of [customer?.pair, staff?.pair, support].map((pair) => pair?.accessToken ?? ''))
    assert.throws(() => verifyAccessToken(token), AuthErrors.tokenExpired())
})

test('sessions continue after the key of their refresh tokens is removed', async () => {
  const sessions = await buildSessions()
  addKey()
  dropOldKey()

  for (const { pair, rotate } of sessions) {
    const second = await next(rotate, pair.refreshToken)
    // Another tab sends the first token within its grace period.
    assert.equal(await next(rotate, pair.refreshToken), second)
    const third = await next(rotate, second)
    assert.equal(readRefreshToken(third)?.isSigned, true)
  }
})

test("a predecessor returns the older key's successor while both keys exist", async () => {
  for (const { pair, rotate } of await buildSessions()) {
    const second = await next(rotate, pair.refreshToken)

    addKey()

    assert.equal(await next(rotate, pair.refreshToken), second)
    useKeys('TOKEN_KEYS', old)
  }
})

test('a reused token of a removed key closes staff sessions', async () => {
  const [, staff, root] = await buildSessions()
  addKey()
  dropOldKey()

  for (const { pair, rotate } of [staff, root].filter((session) => session !== undefined)) {
    const second = await next(rotate, pair.refreshToken)
    moveClock(61_000)

    const refusal = await Promise.resolve(rotate(pair.refreshToken)).catch((error: CodedError) => error)
    assert.equal((refusal as CodedError).code, 'auth.refresh_token_reused')
    await assert.rejects(Promise.resolve(rotate(second)), AuthErrors.sessionRevoked())
    moveClock(0)
  }
})

test('a token older than the predecessor, with a removed key, is refused and closes no session', async () => {
  const [, staff] = await buildSessions()
  assert.ok(staff)
  const { pair, rotate } = staff
  const second = await next(rotate, pair.refreshToken)
  addKey()
  const third = await next(rotate, second)
  dropOldKey()
  moveClock(61_000)

  await assert.rejects(Promise.resolve(rotate(pair.refreshToken)), AuthErrors.refreshTokenInvalid())

  await next(rotate, third)
})
