import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'

const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
const revoked = { status: 401, error_code: 'auth.session_revoked' }
const invalid = { status: 401, error_code: 'auth.refresh_token_invalid' }

const logout = (refreshToken: string, query = '') =>
  request(`POST /auth/logout${query}`, { body: { refresh_token: refreshToken } })

const refresh = (refreshToken: string) =>
  request('POST /auth/refresh', { body: { refresh_token: refreshToken } })

async function buildTwoSessions() {
  const store = await buildStore()
  const first = await buildCustomer(store)
  const body = { email: first.email, password: first.password }
  const { data } = await request('POST /auth/login', { store, body })
  return { store, first, second: { token: data.access_token, refreshToken: data.refresh_token } }
}

test('logout closes only its session', async () => {
  const { store, first, second } = await buildTwoSessions()

  const { status, data } = await logout(first.refreshToken)

  assert.deepEqual({ status, data }, { status: 200, data: null })
  assert.deepEqual(outcomeOf(await request('GET /auth/me', { store, token: first.token })), revoked)
  assert.deepEqual(outcomeOf(await refresh(first.refreshToken)), revoked)
  assert.equal((await request('GET /auth/me', { store, token: second.token })).status, 200)
})

test('logout with all=true closes every session of the account and of no other', async () => {
  const { store, first, second } = await buildTwoSessions()
  const bystander = await buildCustomer(store)

  const { status } = await logout(first.refreshToken, '?all=true')

  assert.equal(status, 200)
  for (const { token, refreshToken } of [first, second]) {
    assert.deepEqual(outcomeOf(await request('GET /auth/me', { store, token })), revoked)
    assert.deepEqual(outcomeOf(await refresh(refreshToken)), revoked)
  }
  assert.equal((await request('GET /auth/me', { store, token: bystander.token })).status, 200)
})

test('a second logout returns 200; a closed session cannot close the others', async () => {
  const { store, first, second } = await buildTwoSessions()
  await logout(first.refreshToken)

  assert.equal((await logout(first.refreshToken)).status, 200)
  assert.deepEqual(outcomeOf(await logout(first.refreshToken, '?all=true')), revoked)
  assert.equal((await request('GET /auth/me', { store, token: second.token })).status, 200)
})

test('a superseded refresh token closes its own session only', async () => {
  const { store, first, second } = await buildTwoSessions()
  await refresh(first.refreshToken)
  moveClock(61_000)

  assert.deepEqual(outcomeOf(await logout(first.refreshToken, '?all=true')), invalid)
  assert.equal((await logout(first.refreshToken)).status, 200)
  assert.deepEqual(outcomeOf(await request('GET /auth/me', { store, token: first.token })), revoked)
  assert.equal((await request('GET /auth/me', { store, token: second.token })).status, 200)
})

test('an expired session can close itself but not the others', async () => {
  const { first } = await buildTwoSessions()
  moveClock(31 * DAY_MS)

  assert.deepEqual(outcomeOf(await logout(first.refreshToken, '?all=true')), invalid)
  assert.equal((await logout(first.refreshToken)).status, 200)
})

test('staff log out without a store', async () => {
  const { token, refreshToken } = await buildStaff(await buildStore(), { role: 'catalog' })

  assert.equal((await logout(refreshToken)).status, 200)
  assert.deepEqual(outcomeOf(await request('GET /auth/me', { token })), revoked)
})

test("a forged token, or one with another store's key, closes no session", async () => {
  const { store, first } = await buildTwoSessions()
  const other = await buildStore()

  assert.deepEqual(outcomeOf(await logout('cx_rt_nothing')), invalid)
  const underOther = await request('POST /auth/logout', {
    store: other,
    body: { refresh_token: first.refreshToken },
  })
  assert.deepEqual(outcomeOf(underOther), invalid)
  assert.equal((await request('GET /auth/me', { store, token: first.token })).status, 200)
})

test('an invalid value of all returns 422', async () => {
  const { first } = await buildTwoSessions()

  const { status, detail } = await logout(first.refreshToken, '?all=maybe')

  assert.deepEqual(
    { status, loc: detail[0].loc, type: detail[0].type },
    { status: 422, loc: ['query', 'all'], type: 'bool_parsing' },
  )
})
