import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { refreshSession } from '#shared/identity/sessions/refresh-session.ts'
import { encode, readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { type BuiltAccount, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock, moveClock, stopClock } from '#test/support/clock.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { barrier } from '#test/support/races/barrier.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const refresh = (refreshToken: string, store?: BuiltStore): Promise<ApiResponse> =>
  request('POST /auth/refresh', { ...(store ? { store } : {}), body: { refresh_token: refreshToken } })

/** Exchanges a token and returns its successor. */
async function next(refreshToken: string): Promise<string> {
  const { status, data } = await refresh(refreshToken)
  assert.equal(status, 200)
  return data.refresh_token
}

/** Exchanges a token inside an open transaction. */
async function exchange(tx: StoreTx, refreshToken: string): Promise<string> {
  const token = readRefreshToken(refreshToken)
  assert.ok(token)
  const pair = await refreshSession(tx, token, { ip: null, userAgent: null })
  assert.ok('refreshToken' in pair)
  return pair.refreshToken
}

const invalid = { status: 401, error_code: 'auth.refresh_token_invalid' }
const reused = { status: 401, error_code: 'auth.refresh_token_reused' }
const revoked = { status: 401, error_code: 'auth.session_revoked' }
const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })

const sessionsOf = (store: BuiltStore) =>
  inStore(store.id, (tx) => tx.knex('sessions').select('generation', 'closed_at', 'closed_reason'))

const securityEventsOf = (store: BuiltStore) =>
  inStore(store.id, (tx) => tx.knex('security_events').select('kind', 'account_id', 'session_id'))

async function buildBoth(): Promise<{ store: BuiltStore; customer: BuiltAccount; member: BuiltAccount }> {
  const store = await buildStore()
  return { store, customer: await buildCustomer(store), member: await buildStaff(store, { role: 'owner' }) }
}

test('a refresh returns a new token pair, with or without a store', async () => {
  const { store, customer } = await buildBoth()

  const first = await refresh(customer.refreshToken, store)
  const second = await refresh(first.data.refresh_token)
  const me = await request('GET /auth/me', { store, token: second.data.access_token })

  assert.deepEqual(
    { status: first.status, token_type: first.data.token_type, expires_in: first.data.expires_in },
    { status: 200, token_type: 'Bearer', expires_in: 1800 },
  )
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.equal(new Set([customer.refreshToken, first.data.refresh_token, second.data.refresh_token]).size, 3)
  assert.equal(me.data.id, customer.id)
})

test('twenty concurrent refreshes return one successor and keep the session open', async () => {
  const { store, customer, member } = await buildBoth()

  for (const { refreshToken } of [customer, member]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    const successors = new Set(answers.map(({ status, data }) => `${status} ${data.refresh_token}`))
    assert.equal(successors.size, 1)
    await next(answers[0]?.data.refresh_token)
  }

  const sessions = await sessionsOf(store)
  assert.deepEqual(
    sessions.map(({ generation, closed_at }) => ({ generation, closed_at })),
    [
      { generation: 3, closed_at: null },
      { generation: 3, closed_at: null },
    ],
  )
})

test('a refresh that waits for two rotations by another request returns auth.refresh_token_invalid', async () => {
  const { store, customer } = await buildBoth()
  let third = ''
  const faster = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      third = await exchange(tx, await exchange(tx, customer.refreshToken))
    },
  )

  const slower = refresh(customer.refreshToken)
  await untilOneWaits()
  faster.commit()
  await faster.done

  assert.deepEqual(outcomeOf(await slower), invalid)
  await next(third)
})

test('control: a read before the write issues several successors', async () => {
  const { store, customer } = await buildBoth()
  const id = readRefreshToken(customer.refreshToken)?.sessionId
  const meet = barrier(5)

  const naive = () =>
    inStore(store.id, async (tx) => {
      const before = await tx.knex('sessions').where({ id }).first('token_hash')
      await meet()
      if (!sha256(customer.refreshToken).equals(before.token_hash)) throw new Error('superseded')
      const successor = randomBytes(32).toString('base64url')
      await tx
        .knex('sessions')
        .where({ id })
        .update({ token_hash: sha256(successor) })
      return successor
    })
  const successors = await Promise.all(Array.from({ length: 5 }, naive))

  assert.equal(new Set(successors).size, 5)
})

test('a token returns the same successor 59.9 seconds after its exchange', async () => {
  stopClock()
  const { customer, member } = await buildBoth()
  const exchange = new Date()

  for (const { refreshToken } of [customer, member]) {
    freezeClock(exchange)
    const successor = await next(refreshToken)
    freezeClock(new Date(exchange.getTime() + 59_900))
    assert.equal(await next(refreshToken), successor)
  }
})

test('a staff token closes the session 60.1 seconds after its exchange', async () => {
  const { store, member } = await buildBoth()
  const successor = await next(member.refreshToken)

  moveClock(60_100)

  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), reused)
  assert.deepEqual(outcomeOf(await refresh(successor)), revoked)
  assert.deepEqual(outcomeOf(await request('GET /auth/me', { token: member.token })), revoked)
  assert.deepEqual((await sessionsOf(store)).map((s) => s.closed_reason).filter(Boolean), [
    'refresh_token_reused',
  ])
  assert.equal((await securityEventsOf(store)).length, 1)
})

test("a customer's token is refused 60.1 seconds after its exchange, with an event and without closing the session", async () => {
  const { store, customer } = await buildBoth()
  const successor = await next(customer.refreshToken)

  moveClock(60_100)

  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken)), invalid)
  await next(successor)
  const sessionId = readRefreshToken(successor)?.sessionId
  assert.deepEqual(await securityEventsOf(store), [
    { kind: 'refresh_token_reused', account_id: customer.id, session_id: sessionId },
  ])
})

test('repeated use of a superseded token records one event an hour', async () => {
  const { store, customer } = await buildBoth()
  await next(customer.refreshToken)

  moveClock(2 * MINUTE_MS)
  for (let i = 0; i < 3; i++) await refresh(customer.refreshToken)
  assert.equal((await securityEventsOf(store)).length, 1)

  moveClock(63 * MINUTE_MS)
  await refresh(customer.refreshToken)
  assert.equal((await securityEventsOf(store)).length, 2)
})

test('a token older than the predecessor closes the session only after the grace period', async () => {
  const { store, member } = await buildBoth()
  const second = await next(member.refreshToken)
  const third = await next(second)

  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), invalid)
  assert.equal(await next(second), third)
  assert.deepEqual(await securityEventsOf(store), [])

  moveClock(60_100)
  await next(third)
  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), reused)
})

test('each token has its own grace period from its own exchange', async () => {
  const { member } = await buildBoth()
  const start = Date.now()
  const at = (ms: number) => freezeClock(new Date(start + ms))
  at(0)
  const second = await next(member.refreshToken)
  at(40_000)
  await next(second)

  at(59_900)
  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), invalid)

  at(60_200)
  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), reused)
})

test("each refresh extends a customer's session by 30 days, up to 90 days in total", async () => {
  const { customer } = await buildBoth()

  let token = customer.refreshToken
  for (const days of [29, 58, 87, 89.9]) {
    moveClock(days * DAY_MS)
    token = await next(token)
  }

  moveClock(90 * DAY_MS + HOUR_MS)
  assert.deepEqual(outcomeOf(await refresh(token)), invalid)
})

test('a customer session expires after 30 days without use, a staff session after 7', async () => {
  const { customer, member } = await buildBoth()

  moveClock(7 * DAY_MS - HOUR_MS)
  const staffToken = await next(member.refreshToken)
  moveClock(14 * DAY_MS)
  assert.deepEqual(outcomeOf(await refresh(staffToken)), invalid)

  moveClock(30 * DAY_MS + HOUR_MS)
  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken)), invalid)
})

test('each refresh extends a staff session by 7 days, up to 90 days in total', async () => {
  const { member } = await buildBoth()

  let token = member.refreshToken
  for (let days = 6; days < 90; days += 6) {
    moveClock(days * DAY_MS)
    token = await next(token)
  }

  moveClock(90 * DAY_MS + HOUR_MS)
  assert.deepEqual(outcomeOf(await refresh(token)), invalid)
})

test("a refresh token with another store's key returns auth.refresh_token_invalid", async () => {
  const { customer } = await buildBoth()

  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken, await buildStore())), invalid)
})

test('a forged, truncated or other type of token returns auth.refresh_token_invalid', async () => {
  const { store, customer } = await buildBoth()
  const name = readRefreshToken(customer.refreshToken)
  assert.ok(name)
  const last = customer.refreshToken.at(-3) === 'A' ? 'B' : 'A'
  const forged = [
    customer.token,
    'x',
    customer.refreshToken.slice(0, -1),
    `${customer.refreshToken}A`,
    `${customer.refreshToken.slice(0, -3)}${last}${customer.refreshToken.slice(-2)}`,
    encode({ ...name, generation: 2 }, randomBytes(32)),
    encode({ ...name, generation: 0 }, randomBytes(32)),
    encode({ ...name, sessionId: newId(), generation: 0 }, randomBytes(32)),
  ]

  for (const token of forged)
    assert.deepEqual({ token, ...outcomeOf(await refresh(token)) }, { token, ...invalid })
  assert.deepEqual((await sessionsOf(store))[0]?.generation, 1)
})

test('a token newer than its session, as after a database restore, is refused', async () => {
  const { store, member } = await buildBoth()
  const third = await next(await next(member.refreshToken))
  await inStore(store.id, (tx) =>
    tx.knex('sessions').update({ generation: 1, token_hash: sha256(member.refreshToken) }),
  )

  assert.deepEqual(outcomeOf(await refresh(third)), invalid)
})

test('a token issued before rotation works once; its session continues with rotation', async () => {
  const { store, member } = await buildBoth()
  const sessionId = newId()
  const old = encode({ storeId: store.id, sessionId, generation: 0 }, randomBytes(32))
  await inStore(store.id, (tx) =>
    tx.knex('sessions').insert({
      store_id: store.id,
      id: sessionId,
      account_type: 'staff',
      account_id: member.id,
      generation: 0,
      token_hash: sha256(old),
      created_at: now(),
      last_used_at: now(),
      expires_at: new Date(now().getTime() + DAY_MS),
    }),
  )

  const successor = await next(old)

  assert.deepEqual(outcomeOf(await refresh(old)), invalid)
  await next(successor)
})

test('a session of an inactive account returns auth.session_revoked', async () => {
  const { store, customer, member } = await buildBoth()
  await inStore(store.id, async (tx) => {
    await tx.knex('customers').update({ is_active: false })
    await tx.knex('staff_members').update({ is_active: false })
  })

  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken)), revoked)
  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), revoked)
})

test('a refresh in a deleted store returns 403 for customers and staff', async () => {
  const { store, customer, member } = await buildBoth()
  await db()('stores').where('id', store.id).update({ status: 'deleted' })

  const unavailable = { status: 403, error_code: 'auth.tenant_unavailable' }
  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken)), unavailable)
  assert.deepEqual(outcomeOf(await refresh(customer.refreshToken, store)), unavailable)
  assert.deepEqual(outcomeOf(await refresh(member.refreshToken)), unavailable)
})

test('an invalid body returns 422', async () => {
  for (const body of [{}, { refresh_token: 7 }, { refresh_token: 'x'.repeat(513) }, { refresh_token: '' }])
    assert.equal((await request('POST /auth/refresh', { body })).status, 422)
})
