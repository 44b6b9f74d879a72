import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import {
  findPublishableKey,
  PublishableKey,
  usableKeys,
} from '#shared/stores/publishable-keys/publishable-key.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { asSuperuser } from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { moveToProduction } from '#test/support/processes/production.ts'
import { barrier } from '#test/support/races/barrier.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const issue = async (body: object = { mode: 'test' }) =>
    (await request('POST /admin/publishable-keys', { token, body })).data
  const visit = (key: string) => request('GET /settings/store-info', { store: { key } })
  return { store, token, issue, visit }
}

const refused = { status: 401, error_code: 'auth.publishable_key_invalid' }
const outcomeOf = ({ status, error_code }: { status: number; error_code: string | null }) => ({
  status,
  error_code,
})

test('a key contains the store slug and is shown only at creation', async () => {
  const { store, token, visit } = await setUp()

  const body = { name: 'Phones', mode: 'live', allowed_origins: ['https://Shop.example:443'] }
  const { status, data } = await request('POST /admin/publishable-keys', { token, body })
  const read = await request(`GET /admin/publishable-keys/${data.id}`, { token })

  assert.equal(status, 201)
  assert.match(data.key, new RegExp(`^cx_pk_live_${store.slug}_[\\w-]{40}$`))
  assert.equal((await visit(data.key)).data.slug, store.slug)
  assert.deepEqual(data.allowed_origins, ['https://shop.example'])
  const { key, ...rest } = data
  assert.deepEqual(read.data, rest)
  assert.ok(!JSON.stringify(read.data).includes(key.slice(-20)))
})

test('a store has at most 20 keys in use: one more, and a rotation that adds one, return 409 until one is revoked', async () => {
  const { store, token, issue } = await setUp()
  const ids: string[] = []
  for (let n = 1; n < 20; n++) ids.push((await issue()).id)
  const full = { status: 409, error_code: 'publishable_key.limit_reached' }
  const rotate = (overlap_seconds: number) =>
    request(`POST /admin/publishable-keys/${ids[0]}/rotate`, { token, body: { overlap_seconds } })

  const more = await request('POST /admin/publishable-keys', { token, body: { mode: 'test' } })

  assert.deepEqual(outcomeOf(more), full)
  assert.match(more.error ?? '', /20 keys.*Revoke one first/)
  assert.deepEqual(outcomeOf(await rotate(60)), full)
  assert.equal((await rotate(0)).status, 201)
  await request(`POST /admin/publishable-keys/${ids[1]}/revoke`, { token })
  assert.ok((await issue()).id)
  const other = await buildStore()
  assert.ok(await inStore(other.id, (tx) => issuePublishableKey(tx, null, { mode: 'test' })))
  assert.ok(store.id)
})

const MAX_KEYS = 20
const countKeys = (tx: StoreTx) => usableKeys(tx).resultSize()

/** A store with one key less than it may have. */
async function buildAlmostFull() {
  const { store, token, issue } = await setUp()
  for (let n = 1; n < MAX_KEYS - 1; n++) await issue()
  const count = () => inStore(store.id, countKeys)
  assert.equal(await count(), MAX_KEYS - 1)
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  return { token, count, within }
}

test('the second of two last keys that are issued at the same time is refused', async () => {
  const { token, count, within } = await buildAlmostFull()
  const first = await pending(within, (tx) => issuePublishableKey(tx, null, { mode: 'test' }))
  const second = request('POST /admin/publishable-keys', { token, body: { mode: 'test' } })

  await untilOneWaits()
  first.commit()
  await first.done

  assert.equal((await second).error_code, 'publishable_key.limit_reached')
  assert.equal(await count(), MAX_KEYS)
})

test('control: without the lock both are issued, and the store has one key too many', async () => {
  const { count, within } = await buildAlmostFull()
  const issueUnlocked = async (tx: StoreTx) => {
    assert.ok((await countKeys(tx)) < MAX_KEYS)
    const at = now()
    const unused = { keyHash: randomBytes(32), hint: 'unused', mode: 'test' as const, allowedOrigins: [] }
    await PublishableKey.in(tx).insert({ ...unused, createdAt: at, updatedAt: at })
  }

  const first = await pending(within, issueUnlocked)
  await within(issueUnlocked)
  first.commit()
  await first.done

  assert.equal(await count(), MAX_KEYS + 1)
})

test('a key without a mode is live', async () => {
  const { issue } = await setUp()

  assert.equal((await issue({})).mode, 'live')
})

test('the list is paged, newest first', async () => {
  const { token, issue } = await setUp()
  const [older, newer] = [await issue(), await issue()]

  const { data, meta } = await request('GET /admin/publishable-keys?page_size=2', { token })

  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [newer.id, older.id],
  )
  assert.equal(meta.total, 3)
})

test('an invalid origin returns 422 with its location', async () => {
  const { token, issue } = await setUp()
  const { id } = await issue()

  for (const origin of ['null', '*', 'shop.example', 'https://shop.example/', 'https://*.example'])
    for (const line of ['POST /admin/publishable-keys', `PATCH /admin/publishable-keys/${id}`]) {
      const body = { allowed_origins: ['https://fine.example', origin] }
      const { status, detail } = await request(line, { token, body })
      assert.equal(status, 422, origin)
      assert.deepEqual(detail[0].loc, ['body', 'allowed_origins', 1])
    }
})

test('a rotated key stays valid beside its successor for seven days', async () => {
  stopClock()
  const { token, issue, visit } = await setUp()
  const old = await issue({ mode: 'test', name: 'Web', allowed_origins: ['https://shop.example'] })

  const { status, data: successor } = await request(`POST /admin/publishable-keys/${old.id}/rotate`, {
    token,
    body: {},
  })
  const rotated = await request(`GET /admin/publishable-keys/${old.id}`, { token })

  assert.equal(status, 201)
  assert.deepEqual(
    { name: successor.name, mode: successor.mode, allowed_origins: successor.allowed_origins },
    { name: 'Web', mode: 'test', allowed_origins: ['https://shop.example'] },
  )
  assert.equal(rotated.data.status, 'rotated')
  for (const { key } of [old, successor]) assert.equal((await visit(key)).status, 200)

  moveClock(7 * DAY_MS - 1_000)
  assert.equal((await visit(old.key)).status, 200)
  moveClock(7 * DAY_MS + 1_000)
  assert.deepEqual(outcomeOf(await visit(old.key)), refused)
  assert.equal((await visit(successor.key)).status, 200)
})

test('a rotation without an overlap invalidates the old key immediately', async () => {
  const { token, issue, visit } = await setUp()
  const old = await issue()

  await request(`POST /admin/publishable-keys/${old.id}/rotate`, { token, body: { overlap_seconds: 0 } })

  assert.deepEqual(outcomeOf(await visit(old.key)), refused)
})

test('one of three concurrent rotations of a key succeeds', async () => {
  const { token, issue } = await setUp()
  const { id } = await issue()
  const rotate = () => request(`POST /admin/publishable-keys/${id}/rotate`, { token, body: {} })

  const answers = await Promise.all([rotate(), rotate(), rotate()])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal(answers.find(({ status }) => status === 409)?.error_code, 'publishable_key.not_active')
})

test('control: without the lock two transactions read an active key', async () => {
  const { store, issue } = await setUp()
  const { id } = await issue()
  const meet = barrier(2)
  const look = () =>
    inStore(store.id, async (tx) => {
      const { status } = await findPublishableKey(tx, id)
      await meet()
      return status
    })

  assert.deepEqual(await Promise.all([look(), look()]), ['active', 'active'])
})

test('a revoked key is invalid immediately and cannot be rotated or changed', async () => {
  const { token, issue, visit } = await setUp()
  const { id, key } = await issue()
  const revoke = () => request(`POST /admin/publishable-keys/${id}/revoke`, { token })

  const first = await revoke()
  assert.deepEqual(outcomeOf(await visit(key)), refused)
  assert.deepEqual((await revoke()).data, first.data)
  const rotated = await request(`POST /admin/publishable-keys/${id}/rotate`, { token, body: {} })
  const changed = await request(`PATCH /admin/publishable-keys/${id}`, { token, body: { name: 'x' } })
  assert.deepEqual(
    [outcomeOf(rotated), outcomeOf(changed)],
    Array(2).fill({ status: 409, error_code: 'publishable_key.not_active' }),
  )
})

test('a key revoked by another process is invalid immediately', async () => {
  const { issue, visit } = await setUp()
  const { id, key } = await issue()
  assert.equal((await visit(key)).status, 200)

  // A direct update bypasses the caches of this process.
  await asSuperuser('update publishable_keys set revoked_at = now() where id = $1', [id])

  assert.deepEqual(outcomeOf(await visit(key)), refused)
})

test('revoking a rotated key ends its overlap', async () => {
  const { token, issue, visit } = await setUp()
  const { id, key } = await issue()
  await request(`POST /admin/publishable-keys/${id}/rotate`, { token, body: {} })

  await request(`POST /admin/publishable-keys/${id}/revoke`, { token })

  assert.deepEqual(outcomeOf(await visit(key)), refused)
})

test('changed origins apply to the next request; an outdated If-Match returns resource.changed', async () => {
  const { token, issue } = await setUp()
  const { id, key } = await issue()
  const from = (origin: string) =>
    request('GET /settings/store-info', { store: { key }, headers: { Origin: origin } })
  const { headers } = await request(`GET /admin/publishable-keys/${id}`, { token })
  const change = (origin: string) =>
    request(`PATCH /admin/publishable-keys/${id}`, {
      token,
      headers: { 'If-Match': headers.get('ETag') ?? '' },
      body: { allowed_origins: [origin] },
    })

  assert.equal((await from('https://b.example')).status, 200)
  assert.equal((await change('https://a.example')).status, 200)
  assert.equal((await from('https://a.example')).status, 200)
  assert.equal((await from('https://b.example')).error_code, 'auth.origin_not_allowed')
  assert.equal((await change('https://b.example')).error_code, 'resource.changed')
})

test("reading or changing another store's key returns 404", async () => {
  const [mine, other] = [await setUp(), await setUp()]
  const { id, key } = await other.issue()

  const answers = [
    await request(`GET /admin/publishable-keys/${id}`, { token: mine.token }),
    await request(`PATCH /admin/publishable-keys/${id}`, { token: mine.token, body: { name: 'x' } }),
    await request(`POST /admin/publishable-keys/${id}/rotate`, { token: mine.token, body: {} }),
    await request(`POST /admin/publishable-keys/${id}/revoke`, { token: mine.token }),
  ]

  assert.deepEqual(answers.map(outcomeOf), Array(4).fill({ status: 404, error_code: 'resource.not_found' }))
  assert.equal((await other.visit(key)).status, 200)
  const { data } = await request('GET /admin/publishable-keys', { token: mine.token })
  assert.equal(data.length, 1)
})

test('staff without the system right get auth.forbidden', async () => {
  const { store } = await setUp()
  const { token } = await buildStaff(store, { role: 'sales' })

  for (const line of ['GET /admin/publishable-keys', 'GET /admin/domains'])
    assert.equal((await request(line, { token })).error_code, 'auth.forbidden')
})

test('a key with a typing error returns auth.publishable_key_invalid', async () => {
  const { issue, visit } = await setUp()
  const { key } = await issue()
  const other = key.at(-9) === 'A' ? 'B' : 'A'

  for (const mistyped of [`${key}0`, key.slice(1), key.slice(0, -9) + other + key.slice(-8), 'x'])
    assert.deepEqual(outcomeOf(await visit(mistyped)), refused, mistyped)
})

test('production rejects test keys and issues none', async (t) => {
  const { store, visit } = await setUp()
  const live = await inStore(store.id, (tx) => issuePublishableKey(tx, null, { mode: 'live' }))
  moveToProduction(t)

  assert.deepEqual(outcomeOf(await visit(store.key)), refused)
  assert.equal((await visit(live.key)).status, 200)
  await assert.rejects(
    inStore(store.id, (tx) => issuePublishableKey(tx, null, { mode: 'test' })),
    /not valid/,
  )
})

test('a publishable key on any admin path returns 403, also for unknown paths', async () => {
  const { store, token } = await setUp()
  const paths = endpoints
    .filter(({ path }) => /^\/(super-)?admin\//.test(path))
    .map(({ method, path }) => [method, path.replace(/:\w+/g, store.id)])
  const unknownPaths = [
    ['get', '/admin'],
    ['get', '/admin/nowhere'],
    ['get', '/ADMIN/publishable-keys'],
    ['delete', '/super-admin/nowhere'],
  ]
  assert.ok(paths.length > 10)

  for (const [method = '', path] of [...paths, ...unknownPaths])
    for (const authorization of [undefined, `Bearer ${token}`]) {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method: method.toUpperCase(),
        headers: {
          'X-Service-Key': store.key,
          ...(authorization ? { Authorization: authorization } : {}),
        },
      })
      const { error_code } = (await response.json()) as { error_code: string }
      assert.deepEqual(
        { status: response.status, error_code },
        { status: 403, error_code: 'auth.publishable_key_forbidden' },
        `${method} ${path}`,
      )
    }
})

test('the database does not hold the text of a key', async () => {
  const { issue } = await setUp()
  const { id, key } = await issue()

  const row = await db()('publishable_keys').where({ id }).first()

  assert.ok(!JSON.stringify(row).includes(key.slice(-30, -8)))
})
