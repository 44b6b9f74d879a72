import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { insertApiToken } from '#shared/staff/api-tokens/insert-api-token.ts'
import { newTokenText } from '#shared/staff/api-tokens/token-text.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { moveToProduction } from '#test/support/processes/production.ts'

async function buildAdministrator() {
  const store = await buildStore()
  const me = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token: me.token, ...asked })
  return { store, me, as }
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const readProducts = (token: string) => request('GET /admin/products', { token })

test('a created token is shown once and stored as a hash', async () => {
  const { store, me, as } = await buildAdministrator()
  const expires_at = inDays(30)

  const body = { name: 'Scanner', rights: ['sales:read', 'catalog:read'], expires_at }
  const made = await as('POST /admin/api-tokens', { key: 'repeatable', body })
  const read = await as(`GET /admin/api-tokens/${made.data.id}`)
  const { data: listed } = await as('GET /admin/api-tokens')

  const { token, ...rest } = made.data
  const [stored] = await inStore(store.id, (tx) => tx.knex('api_tokens'))
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  assert.match(token, /^cx_sk_live_[\w-]{64}[0-9a-f]{8}$/)
  assert.deepEqual(
    { rights: rest.rights, mode: rest.mode },
    { rights: ['catalog:read', 'sales:read'], mode: 'live' },
  )
  assert.partialDeepStrictEqual(rest, { created_by: me.id, expires_at, last_used_at: null })
  assert.equal(rest.hint, `cx_sk_live_…${token.slice(-4)}`)
  assert.deepEqual({ data: read.data, listed }, { data: rest, listed: [rest] })
  assert.deepEqual(stored.token_hash, sha256(token))
  assert.ok(!JSON.stringify(stored).includes(token))
  assert.equal((await inStore(store.id, (tx) => tx.knex('idempotency_keys'))).length, 0)
})

test('a new token is mailed to its creator and the owner without the token, and listed in the activity', async () => {
  const { store, me, as } = await buildAdministrator()
  const owner = await buildStaff(store, { role: 'owner' })
  const body = { name: 'Scanner', rights: ['catalog:read', 'sales:read'] }

  const { data } = await as('POST /admin/api-tokens', { body, headers: { 'User-Agent': 'Phone' } })

  await drainJobs()
  const [toCreator, toOwner] = [me, owner].map(({ email }) => mailbox.mails(email))
  assert.match(
    toCreator?.[0]?.text ?? '',
    /with your account.*Scanner.*catalog:read, sales:read.*never.*127\.0\.0\.1/s,
  )
  assert.match(toOwner?.[0]?.text ?? '', /created an API token.*Scanner.*catalog:read, sales:read.*never/s)
  assert.ok(toOwner?.[0]?.text.includes(me.email))
  const texts = JSON.stringify([toCreator, toOwner])
  assert.ok(!texts.includes(data.token))
  assert.doesNotMatch(toOwner?.[0]?.text ?? '', /127\.0\.0\.1/)
  const activity = await as('GET /auth/activity')
  assert.equal(activity.data[0].kind, 'api_token_created')
})

test('more rights or a later end of a token are mailed, fewer rights and another name are not', async () => {
  const { store, me, as } = await buildAdministrator()
  const owner = await buildStaff(store, { role: 'owner' })
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = { name: 'Scanner', rights: ['catalog:read'], expires_at }
  const { data } = await as('POST /admin/api-tokens', { body })
  const mailsAfter = async (change: object) => {
    await drainJobs()
    mailbox.clear()
    assert.equal((await as(`PATCH /admin/api-tokens/${data.id}`, { body: change })).status, 200)
    await drainJobs()
    return { toCreator: mailbox.mails(me.email).length, toOwner: mailbox.mails(owner.email).length }
  }

  assert.deepEqual(await mailsAfter({ rights: ['catalog:read', 'sales:read'] }), { toCreator: 1, toOwner: 1 })
  assert.match(mailbox.mails(owner.email)[0]?.text ?? '', /extended an API token.*catalog:read, sales:read/s)
  assert.deepEqual(await mailsAfter({ expires_at: null }), { toCreator: 1, toOwner: 1 })
  assert.deepEqual(await mailsAfter({ rights: [], name: 'Till' }), { toCreator: 0, toOwner: 0 })
})

test('the 21st token that a member creates in an hour is refused; no creation is without a mail', async () => {
  const { store, as } = await buildAdministrator()
  const owner = await buildStaff(store, { role: 'owner' })
  const create = () => as('POST /admin/api-tokens', { body: { name: 'Scanner', rights: [] } })
  for (let n = 1; n <= 20; n++) assert.equal((await create()).status, 201)

  const refused = await create()

  await drainJobs()
  assert.partialDeepStrictEqual(refused, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.equal(mailbox.mails(owner.email).length, 20)
})

test('an owner who creates a token is mailed once', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })

  await request('POST /admin/api-tokens', { token: owner.token, body: { name: 'Till', rights: [] } })

  await drainJobs()
  assert.equal(mailbox.mails(owner.email).length, 1)
})

test('a token can call only the endpoints of its rights', async () => {
  const { store } = await buildAdministrator()
  const { token } = await buildApiToken(store, 'catalog:read')

  const read = await readProducts(token)
  const written = await request('POST /admin/products', { token, body: {} })
  const sales = await request('GET /admin/orders', { token })

  assert.equal(read.status, 200)
  assert.deepEqual(
    { status: written.status, written_error_code: written.error_code, sales_error_code: sales.error_code },
    { status: 403, written_error_code: 'auth.forbidden', sales_error_code: 'auth.forbidden' },
  )
})

test('a token with all rights returns 403 for users, roles, tokens and credentials', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, ...RIGHTS)
  const { data } = await as('GET /admin/users')
  const user = data[0].id

  const answers = [
    await request('GET /admin/users', { token }),
    await request('POST /admin/users', { token, body: {} }),
    await request(`PATCH /admin/users/${user}`, { token, body: { firstname: 'Mary' } }),
    await request(`DELETE /admin/users/${user}`, { token }),
    await request(`POST /admin/users/${user}/sessions/revoke`, { token }),
    await request('GET /admin/roles', { token }),
    await request('POST /admin/roles', { token, body: {} }),
    await request('GET /admin/api-tokens', { token }),
    await request('POST /admin/api-tokens', { token, body: {} }),
    await request(`DELETE /admin/api-tokens/${id}`, { token }),
    await request('GET /auth/me', { token }),
    await request('PATCH /auth/me', { token, body: { firstname: 'Mary' } }),
  ]

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'auth.api_token_forbidden' })
})

test('a token on a storefront endpoint returns 401', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, ...RIGHTS)

  const answer = await request('GET /orders', { store, token })

  assert.partialDeepStrictEqual(answer, { status: 401, error_code: 'auth.not_authenticated' })
})

test('a token with rights that the caller lacks returns 403 user.privilege_escalation', async () => {
  const store = await buildStore()
  await buildRole(store, { name: 'tech', rights: ['users:read', 'users:write', 'catalog:read'] })
  const { token: lead } = await buildStaff(store, { role: 'tech' })
  const strong = await buildApiToken(store, 'refund')
  const make = (rights: string[]) =>
    request('POST /admin/api-tokens', { token: lead, body: { name: 'Mine', rights } })

  const weak = await make(['catalog:read'])
  const change = (id: string, body: object) => request(`PATCH /admin/api-tokens/${id}`, { token: lead, body })
  const refused = [
    await make(['catalog:write']),
    await change(weak.data.id, { rights: ['catalog:read', 'refund'] }),
    await change(strong.id, { name: 'Mine now' }),
  ]

  assert.equal(weak.status, 201)
  for (const { status, error_code } of refused)
    assert.deepEqual({ status, error_code }, { status: 403, error_code: 'user.privilege_escalation' })
  assert.equal((await request(`DELETE /admin/api-tokens/${strong.id}`, { token: lead })).status, 200)
})

test('changed rights apply from the next call with the same secret', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'sales:read')

  const before = await readProducts(token)
  const { data } = await as(`PATCH /admin/api-tokens/${id}`, { body: { rights: ['catalog:read'] } })
  const after = await readProducts(token)

  assert.deepEqual(
    { beforeStatus: before.status, afterStatus: after.status, rights: data.rights },
    { beforeStatus: 403, afterStatus: 200, rights: ['catalog:read'] },
  )
})

test('a revoked token returns 401 and is not listed', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'catalog:read')

  const { status } = await as(`DELETE /admin/api-tokens/${id}`)
  const refused = await readProducts(token)
  const { data } = await as('GET /admin/api-tokens')
  const again = await as(`DELETE /admin/api-tokens/${id}`)
  const changed = await as(`PATCH /admin/api-tokens/${id}`, { body: { name: 'Back' } })

  assert.deepEqual(
    { status, refusedStatus: refused.status, error_code: refused.error_code },
    { status: 200, refusedStatus: 401, error_code: 'auth.session_revoked' },
  )
  assert.deepEqual(
    { data, againStatus: again.status, changedStatus: changed.status },
    { data: [], againStatus: 404, changedStatus: 404 },
  )
})

test('an expired token returns 401; a later expiry makes it valid again', async () => {
  stopClock()
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'catalog:read')
  await as(`PATCH /admin/api-tokens/${id}`, { body: { expires_at: inDays(1) } })

  moveClock(DAY_MS - SECOND_MS)
  const inTime = await readProducts(token)
  moveClock(DAY_MS + SECOND_MS)
  const tooLate = await readProducts(token)
  await inStore(store.id, (tx) => tx.knex('api_tokens').update({ expires_at: inDays(9) }))
  const putOff = await readProducts(token)

  assert.deepEqual(
    { inTimeStatus: inTime.status, tooLateStatus: tooLate.status, error_code: tooLate.error_code },
    { inTimeStatus: 200, tooLateStatus: 401, error_code: 'auth.token_expired' },
  )
  assert.equal(putOff.status, 200)
})

test('an expiry in the past or an invalid one returns 422', async () => {
  const { as } = await buildAdministrator()
  const make = (expires_at: unknown) =>
    as('POST /admin/api-tokens', { body: { name: 'Late', rights: [], expires_at } })

  for (const expires_at of [inDays(-1), '2016-12-31T23:59:60Z', 'tomorrow', 5]) {
    const { status, detail } = await make(expires_at)
    assert.deepEqual(
      { status, loc: detail[0].loc },
      { status: 422, loc: ['body', 'expires_at'] },
      String(expires_at),
    )
  }
  assert.equal((await make(null)).data.expires_at, null)
})

test('concurrent calls update last_used_at at most once a minute', async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'catalog:read')
  const versions = async () => {
    const { rows } = await inStore(store.id, (tx) =>
      tx.knex.raw('select xmin::text, last_used_at from api_tokens'),
    )
    return rows[0]
  }

  await Promise.all(Array.from({ length: 10 }, () => readProducts(token)))
  const first = await versions()
  await readProducts(token)
  const second = await versions()
  moveClock(2 * MINUTE_MS)
  await readProducts(token)
  const third = await versions()
  moveClock(0)

  assert.deepEqual(second, first)
  assert.ok(third.last_used_at > first.last_used_at)
  assert.ok((await as(`GET /admin/api-tokens/${id}`)).data.last_used_at)
})

test('a test token in production returns auth.not_authenticated', async (t) => {
  const { as } = await buildAdministrator()
  const body = { name: 'Trial', rights: ['catalog:read'], mode: 'test' }
  const { data } = await as('POST /admin/api-tokens', { body })

  const before = await readProducts(data.token)
  moveToProduction(t)
  const inProduction = await readProducts(data.token)

  assert.match(data.token, /^cx_sk_test_/)
  assert.deepEqual(
    { status: before.status, error_code: inProduction.error_code },
    { status: 200, error_code: 'auth.not_authenticated' },
  )
})

test('a forged token returns 401, without a query when its form is invalid', async () => {
  const store = await buildStore()
  const { token } = await buildApiToken(store, 'catalog:read')
  const flipped = token.slice(0, 40) + (token[40] === 'A' ? 'B' : 'A') + token.slice(41)
  const forged = [
    'cx_sk_',
    'cx_sk_live_x',
    token.slice(0, -1),
    `${token}0`,
    flipped,
    token.replace('live', 'test'),
  ]
  let queries = 0
  const count = () => {
    queries += 1
  }
  db().on('query', count)

  for (const one of [...forged, newTokenText(store.id, 'live'), newTokenText(newId(), 'live')]) {
    const { status, error_code } = await readProducts(one)
    assert.deepEqual({ status, error_code }, { status: 401, error_code: 'auth.not_authenticated' }, one)
  }
  db().off('query', count)
  assert.equal(queries, 0)
})

test("another store's token returns 404 and is not listed", async () => {
  const [store, other] = [await buildAdministrator(), await buildAdministrator()]
  const { id } = await buildApiToken(store.store, 'catalog:read')

  const answers = [
    await other.as(`GET /admin/api-tokens/${id}`),
    await other.as(`PATCH /admin/api-tokens/${id}`, { body: { name: 'Mine' } }),
    await other.as(`DELETE /admin/api-tokens/${id}`),
    await other.as(`DELETE /admin/api-tokens/${newId()}`),
  ]

  for (const { status } of answers) assert.equal(status, 404)
  assert.deepEqual((await other.as('GET /admin/api-tokens')).data, [])
})

test("a token's rights are limited to the current rights of its creator", async () => {
  const { store, as } = await buildAdministrator()
  await buildRole(store, { name: 'tech', rights: ['system:write', 'sales:read', 'catalog:read'] })
  const { id, token } = await buildApiToken(store, 'catalog:read', 'sales:read')
  const { created_by: creator } = (await as(`GET /admin/api-tokens/${id}`)).data
  const statuses = async () => ({
    products: (await readProducts(token)).status,
    orders: (await request('GET /admin/orders', { token })).status,
  })
  const assignRole = (role: string) => as(`PATCH /admin/users/${creator}`, { body: { role } })

  assert.deepEqual(await statuses(), { products: 200, orders: 200 })
  await assignRole('catalog')
  assert.deepEqual(await statuses(), { products: 200, orders: 403 })
  await assignRole('tech')
  assert.deepEqual(await statuses(), { products: 200, orders: 200 })
})

test("a token is revoked when its creator is deactivated, also after a reactivation; others' tokens stay", async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'catalog:read')
  const { token: ofColleague } = await buildApiToken(store, 'catalog:read')
  const { created_by: creator } = (await as(`GET /admin/api-tokens/${id}`)).data
  const setActive = async (is_active: boolean) => {
    await as(`PATCH /admin/users/${creator}`, { body: { is_active } })
    return (await readProducts(token)).error_code
  }

  assert.deepEqual(
    { off: await setActive(false), on: await setActive(true) },
    { off: 'auth.session_revoked', on: 'auth.session_revoked' },
  )
  assert.equal((await as(`GET /admin/api-tokens/${id}`)).status, 404)
  assert.equal((await readProducts(ofColleague)).status, 200)
})

test("a token is refused after its creator's removal", async () => {
  const { store, as } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'catalog:read')
  const { created_by: creator } = (await as(`GET /admin/api-tokens/${id}`)).data

  await as(`DELETE /admin/users/${creator}`)

  assert.equal((await readProducts(token)).error_code, 'auth.session_revoked')
})

test('a change with an outdated ETag returns resource.changed', async () => {
  const { store, as } = await buildAdministrator()
  const { id } = await buildApiToken(store, 'catalog:read')
  const change = (name: string, etag: string | null) =>
    as(`PATCH /admin/api-tokens/${id}`, { body: { name }, headers: { 'If-Match': etag ?? '' } })

  const etag = (await as(`GET /admin/api-tokens/${id}`)).headers.get('etag')
  const [first, second] = [await change('One', etag), await change('Two', etag)]

  assert.deepEqual(
    { status: first.status, error_code: second.error_code },
    { status: 200, error_code: 'resource.changed' },
  )
})

test("an idempotency key of a token is stored under the token's id", async () => {
  const { store } = await buildAdministrator()
  const { id, token } = await buildApiToken(store, 'system:read', 'system:write')

  const body = { url: 'https://example.com/hook', events: ['webhook.*'] }
  const first = await request('POST /admin/webhooks', { token, key: 'one', body })
  const again = await request('POST /admin/webhooks', { token, key: 'one', body })

  const stored = await inStore(store.id, (tx) => tx.knex('idempotency_keys').select('principal'))
  assert.deepEqual(
    { status: first.status, idempotentReplayed: again.headers.get('idempotent-replayed') },
    { status: 201, idempotentReplayed: 'true' },
  )
  assert.deepEqual(stored, [{ principal: `api_token:${id}` }])
})

test('a store has at most 100 API tokens; a revoked one makes room', async () => {
  const { store, me, as } = await buildAdministrator()
  const first = await buildApiToken(store, 'catalog:read')
  await inStore(store.id, async (tx) => {
    for (let n = 1; n < 99; n++) await insertApiToken(tx, me.id, { name: `Program ${n}`, rights: [] })
  })
  const create = () => as('POST /admin/api-tokens', { body: { name: 'One more', rights: ['catalog:read'] } })

  const atOnce = await Promise.all([create(), create()])
  await as(`DELETE /admin/api-tokens/${first.id}`)
  const later = await create()

  assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409])
  assert.ok(atOnce.some(({ error_code }) => error_code === 'api_token.limit_reached'))
  assert.equal(later.status, 201)
})
