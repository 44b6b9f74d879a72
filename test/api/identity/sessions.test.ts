import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { asSuperuser } from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

async function buildTwoSessions() {
  const store = await buildStore()
  const { email, password, token } = await buildCustomer(store)
  const { data } = await request('POST /auth/login', {
    store,
    body: { email, password },
    headers: { 'User-Agent': 'Phone' },
  })
  return { store, first: token, second: data.access_token, secondRefresh: data.refresh_token }
}

test('the list shows open sessions, latest used first, and marks the current one', async () => {
  const { store, first } = await buildTwoSessions()

  const { status, data } = await request('GET /auth/sessions', { store, token: first })

  assert.equal(status, 200)
  assert.deepEqual(
    data.map(({ current, user_agent, ip }: Record<string, unknown>) => ({ current, user_agent, ip })),
    [
      { current: false, user_agent: 'Phone', ip: '127.0.0.1' },
      { current: true, user_agent: 'test', ip: '127.0.0.1' },
    ],
  )
})

test('a refresh updates last_used_at', async () => {
  const { store, second, secondRefresh } = await buildTwoSessions()
  moveClock(60_000)
  await request('POST /auth/refresh', { body: { refresh_token: secondRefresh } })

  const { data } = await request('GET /auth/sessions', { store, token: second })

  const current = data.find((session: { current: boolean }) => session.current)
  assert.ok(Date.parse(current.last_used_at) - Date.parse(current.created_at) > 59_000)
})

test('a closed session is not listed and its tokens return 401', async () => {
  const { store, first, second } = await buildTwoSessions()
  const { data } = await request('GET /auth/sessions', { store, token: first })
  const other = data.find((session: { current: boolean }) => !session.current)

  const closed = await request(`DELETE /auth/sessions/${other.id}`, { store, token: first })

  assert.partialDeepStrictEqual(closed, { status: 200, data: null })
  const refused = await request('GET /auth/me', { store, token: second })
  assert.partialDeepStrictEqual(refused, { status: 401, error_code: 'auth.session_revoked' })
  assert.equal((await request('GET /auth/sessions', { store, token: first })).data.length, 1)
  assert.equal((await request(`DELETE /auth/sessions/${other.id}`, { store, token: first })).status, 404)
})

test('a session closed by another process returns 401 on the next request', async () => {
  const { store, first } = await buildTwoSessions()
  const read = async () => (await request('GET /auth/me', { store, token: first })).error_code
  assert.equal(await read(), null)

  // A direct update bypasses the caches of this process.
  await asSuperuser("update sessions set closed_at = now(), closed_reason = 'logout' where store_id = $1", [
    store.id,
  ])

  assert.equal(await read(), 'auth.session_revoked')
})

test('closing the current session signs the caller out', async () => {
  const { store, first } = await buildTwoSessions()
  const { data } = await request('GET /auth/sessions', { store, token: first })
  const current = data.find((session: { current: boolean }) => session.current)

  await request(`DELETE /auth/sessions/${current.id}`, { store, token: first })

  assert.equal((await request('GET /auth/sessions', { store, token: first })).status, 401)
})

test("another account's session is not listed and returns 404 on delete", async () => {
  const { store, first, second } = await buildTwoSessions()
  const neighbour = await buildCustomer(store)
  const elsewhere = await buildStore()
  const stranger = await buildCustomer(elsewhere)
  const member = await buildStaff(store, { role: 'owner' })
  const { data } = await request('GET /auth/sessions', { store, token: first })

  for (const asked of [
    { store, token: neighbour.token },
    { store: elsewhere, token: stranger.token },
    { token: member.token },
  ]) {
    assert.equal((await request(`DELETE /auth/sessions/${data[0].id}`, asked)).status, 404)
    assert.equal((await request('GET /auth/sessions', asked)).data.length, 1)
  }
  assert.equal((await request('GET /auth/me', { store, token: second })).status, 200)
})

test('an expired session is not listed', async () => {
  const store = await buildStore()
  const { email, password } = await buildCustomer(store)
  moveClock(31 * DAY_MS)
  const { data } = await request('POST /auth/login', { store, body: { email, password } })

  const listed = await request('GET /auth/sessions', { store, token: data.access_token })

  assert.deepEqual(
    listed.data.map(({ current }: { current: boolean }) => current),
    [true],
  )
})

test('an invalid id returns 422, an unknown one 404, a missing token 401', async () => {
  const { store, first } = await buildTwoSessions()

  assert.equal((await request('DELETE /auth/sessions/1', { store, token: first })).status, 422)
  assert.equal((await request(`DELETE /auth/sessions/${newId()}`, { store, token: first })).status, 404)
  assert.equal((await request('GET /auth/sessions', { store })).status, 401)
})
