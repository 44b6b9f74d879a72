import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { PublishableKey } from '#shared/stores/publishable-key.ts'
import { baseUrl, rawRequest } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildProduct } from '#test/support/build-catalog.ts'

/** A store whose one key lets these origins in. */
async function open(...allowedOrigins: string[]) {
  const store = await buildStore()
  await inStore(store.id, (tx) => PublishableKey.in(tx).patch({ allowedOrigins }))
  return store
}

const call = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${baseUrl}/api/v1${path}`, { method, headers })

const preflight = (origin: string, path = '/cart/items') =>
  call(path, { Origin: origin, 'Access-Control-Request-Method': 'POST' }, 'OPTIONS')

const allowed = ({ headers }: Response) => headers.get('Access-Control-Allow-Origin')

const SHOP = 'https://shop.example'
const EVIL = 'https://evil.example'

test('a preflight needs no key where some key lists the origin, and says what may be sent', async () => {
  await open(SHOP)

  const response = await preflight(SHOP)

  assert.equal(response.status, 204)
  assert.equal(allowed(response), SHOP)
  assert.match(response.headers.get('Access-Control-Allow-Methods') ?? '', /\bPATCH\b.*\bDELETE\b/)
  const headers = (response.headers.get('Access-Control-Allow-Headers') ?? '').split(', ')
  for (const name of ['X-Service-Key', 'X-Cart-Token', 'Idempotency-Key', 'If-Match', 'Authorization'])
    assert.ok(headers.includes(name), name)
  assert.ok(Number(response.headers.get('Access-Control-Max-Age')) > 0)
  assert.match(response.headers.get('Vary') ?? '', /Origin/)
  assert.equal(response.headers.get('Access-Control-Allow-Credentials'), null)
})

test('a preflight from an origin that nobody knows is refused', async () => {
  await open(SHOP)

  const response = await preflight(EVIL)

  assert.equal(response.status, 403)
  assert.match(await response.text(), /auth\.origin_not_allowed/)
  assert.equal(allowed(response), null)
})

test('a preflight from a verified domain is answered, over https', async () => {
  const { domain } = await open(SHOP)

  assert.equal((await preflight(`https://${domain}`)).status, 204)
  assert.equal((await preflight(`http://${domain}`)).status, 403)
})

test('the origins of a revoked key are known no more', async () => {
  const origin = 'https://former.example'
  const store = await open(origin)
  assert.equal((await preflight(origin)).status, 204)

  await inStore(store.id, (tx) => PublishableKey.in(tx).patch({ revokedAt: new Date() }))

  assert.equal((await preflight(origin)).status, 403)
})

for (const status of ['suspended', 'deleted'])
  test(`neither key nor domain of a ${status} store makes an origin known`, async () => {
    const origin = `https://of-${status}.example`
    const { id, domain } = await open(origin)
    const known = async () => [
      (await preflight(origin)).status,
      (await preflight(`https://${domain}`)).status,
    ]
    assert.deepEqual(await known(), [204, 204])

    await db()('stores').where({ id }).update({ status })

    assert.deepEqual(await known(), [403, 403])
  })

test("a preflight from the service's own pages is answered, as their requests are", async () => {
  const store = await open(SHOP)
  const { origin } = new URL(config().PUBLIC_URL)

  assert.equal((await preflight(origin)).status, 204)
  const answer = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })
  assert.equal(answer.status, 200)
})

test('an answer names the one origin that may read it, and what of its head', async () => {
  const store = await open(SHOP, 'https://other.example')

  const response = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: SHOP })

  assert.equal(response.status, 200)
  assert.equal(allowed(response), SHOP)
  assert.match(response.headers.get('Vary') ?? '', /Origin/)
  for (const name of ['ETag', 'X-Request-Id', 'Retry-After', 'RateLimit', 'Idempotent-Replayed'])
    assert.ok(response.headers.get('Access-Control-Expose-Headers')?.split(', ').includes(name), name)
})

test('an answer to no page names no origin, but still varies by it', async () => {
  const store = await open(SHOP)

  const response = await call('/settings/store-info', { 'X-Service-Key': store.key })

  assert.equal(allowed(response), null)
  assert.match(response.headers.get('Vary') ?? '', /Origin/)
})

test("an origin that is not on the key's list is refused, and may not read why", async () => {
  const store = await open(SHOP)

  for (const origin of [
    EVIL,
    'null',
    'http://shop.example',
    'https://shop.example:8443',
    `${SHOP}.evil.example`,
  ]) {
    const response = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })
    assert.equal(response.status, 403, origin)
    assert.match(await response.text(), /auth\.origin_not_allowed/)
    assert.equal(allowed(response), null)
  }
})

test('errors may be read as answers may', async () => {
  const store = await open(SHOP)
  const head = { 'X-Service-Key': store.key, Origin: SHOP }

  const answers = [
    await call('/products/nowhere', head),
    await call('/settings/store-info?x=1', head),
    await call('/nowhere', head),
    await call('/settings/store-info', head, 'DELETE'),
    await call('/auth/me', head),
    await call('/settings/store-info', { ...head, 'X-Service-Key': 'cx_pk_live_slip' }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 422, 404, 405, 401, 401],
  )
  assert.deepEqual(answers.map(allowed), Array(6).fill(SHOP))
})

test('an error before any store is found is not for strangers', async () => {
  await open(SHOP)

  assert.equal(allowed(await call('/nowhere', { Origin: EVIL })), null)
})

test('what is kept of an answer carries no origin: each reads its own, and none the other’s', async () => {
  const store = await open(SHOP, 'https://other.example')
  await buildProduct(store)
  const read = (origin?: string) =>
    call('/products', { 'X-Service-Key': store.key, ...(origin ? { Origin: origin } : {}) })

  const [first, second, third] = [await read(SHOP), await read('https://other.example'), await read()]
  const etag = first.headers.get('ETag') ?? ''
  const unchanged = await rawRequest(
    `GET /api/v1/products HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${store.key}\r\n` +
      `Origin: https://other.example\r\nIf-None-Match: ${etag}\r\n`,
  )

  assert.deepEqual([first, second, third].map(allowed), [SHOP, 'https://other.example', null])
  assert.match(unchanged, /^HTTP\/1\.1 304.*Access-Control-Allow-Origin: https:\/\/other\.example\r\n/s)
  assert.deepEqual(
    [first, second, third].map(({ headers }) => headers.get('ETag')),
    Array(3).fill(etag),
  )
  assert.match(third.headers.get('Vary') ?? '', /X-Service-Key.*Origin/)
})

test('what nobody said may be kept is kept by no cache: answers for one caller, and errors', async () => {
  const store = await open(SHOP)
  const { token } = await buildStaff(store, { role: 'owner' })
  const key = { 'X-Service-Key': store.key }
  const bearer = { Authorization: `Bearer ${token}` }

  const answers = [
    await call('/cart', key),
    await call('/auth/me', bearer),
    await call('/admin/settings', bearer),
    await call('/products/nowhere', key),
    await call('/nowhere', key),
  ]

  assert.deepEqual(
    answers.map(({ headers }) => headers.get('Cache-Control')),
    Array(5).fill('no-store'),
  )
})

const onDomain = (domain: string, origin: string) =>
  rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${domain}\r\nOrigin: ${origin}\r\n`)

test("pages of the store's own domain need neither key nor list", async () => {
  const { domain } = await open(SHOP)

  for (const origin of [`http://${domain}`, `https://${domain}`])
    assert.match(await onDomain(domain, origin), /^HTTP\/1\.1 200/, origin)
  assert.match(
    await onDomain(`${domain}:8080`, `http://${domain}:8080`),
    /Access-Control-Allow-Origin: http:\/\/[\w.-]+:8080\r\n/,
  )
})

test("other pages are strangers to the store's own domain, another store's among them", async () => {
  const [{ domain }, other] = [await open(SHOP), await open(SHOP)]

  for (const origin of [EVIL, SHOP, `https://${other.domain}`, `http://${domain}:8080`, 'null'])
    assert.match(await onDomain(domain, origin), /^HTTP\/1\.1 403.*auth\.origin_not_allowed/s, origin)
})

test("a key with a list lets its own store's domain in, and no other's", async () => {
  const [store, other] = [await open(SHOP), await open(SHOP)]
  const from = (domain: string) =>
    call('/settings/store-info', { 'X-Service-Key': store.key, Origin: `https://${domain}` })

  assert.equal((await from(store.domain)).status, 200)
  assert.equal((await from(other.domain)).status, 403)
})

test('admin operations, which take a token and no key, may be read by known origins', async () => {
  const store = await open(SHOP)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const from = (origin: string) =>
    call('/admin/publishable-keys', { Authorization: `Bearer ${token}`, Origin: origin })

  assert.equal(allowed(await from(SHOP)), SHOP)
  assert.equal(allowed(await from(EVIL)), null)
})

// Last: from here on one key lets any origin in, so any is known.
test('a key without a list lets any origin in but `null`, which anyone can send', async () => {
  const store = await open()
  const from = (origin: string) =>
    call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })

  assert.equal(allowed(await from(EVIL)), EVIL)
  assert.equal((await preflight(EVIL)).status, 204)
  assert.equal((await from('null')).status, 403)
  assert.equal((await preflight('null')).status, 403)
})
