import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import '#test/support/database.ts'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { PublishableKey } from '#shared/stores/publishable-keys/publishable-key.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl, rawRequest } from '#test/support/processes/app.ts'

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

test("a preflight from an origin on a key's list returns 204 with the allowed methods and headers", async () => {
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

test('a preflight from an unknown origin returns 403 auth.origin_not_allowed', async () => {
  await open(SHOP)

  const response = await preflight(EVIL)

  assert.equal(response.status, 403)
  assert.match(await response.text(), /auth\.origin_not_allowed/)
  assert.equal(allowed(response), null)
})

test('a preflight from a verified domain is allowed over https only', async () => {
  const { domain } = await open(SHOP)

  assert.equal((await preflight(`https://${domain}`)).status, 204)
  assert.equal((await preflight(`http://${domain}`)).status, 403)
})

test('a revoked key no longer allows its origins', async () => {
  const origin = 'https://former.example'
  const store = await open(origin)
  assert.equal((await preflight(origin)).status, 204)

  await inStore(store.id, (tx) => PublishableKey.in(tx).patch({ revokedAt: new Date() }))

  assert.equal((await preflight(origin)).status, 403)
})

for (const status of ['suspended', 'deleted'])
  test(`a ${status} store allows the origins of neither its key nor its domain`, async () => {
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

test("the service's own pages may send preflights and requests", async () => {
  const store = await open(SHOP)
  const { origin } = new URL(config().PUBLIC_URL)

  assert.equal((await preflight(origin)).status, 204)
  const answer = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })
  assert.equal(answer.status, 200)
})

test("a response names the request's origin and the headers it may read", async () => {
  const store = await open(SHOP, 'https://other.example')

  const response = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: SHOP })

  assert.equal(response.status, 200)
  assert.equal(allowed(response), SHOP)
  assert.match(response.headers.get('Vary') ?? '', /Origin/)
  for (const name of ['ETag', 'X-Request-Id', 'Retry-After', 'RateLimit', 'Idempotent-Replayed'])
    assert.ok(response.headers.get('Access-Control-Expose-Headers')?.split(', ').includes(name), name)
})

test('a response to a request without an origin names none and varies by Origin', async () => {
  const store = await open(SHOP)

  const response = await call('/settings/store-info', { 'X-Service-Key': store.key })

  assert.equal(allowed(response), null)
  assert.match(response.headers.get('Vary') ?? '', /Origin/)
})

test("an origin that is not on the key's list gets 403 and cannot read the response", async () => {
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

test('an allowed origin can read error responses', async () => {
  const store = await open(SHOP)
  const head = { 'X-Service-Key': store.key, Origin: SHOP }

  const responses = [
    await call('/products/nowhere', head),
    await call('/settings/store-info?x=1', head),
    await call('/nowhere', head),
    await call('/settings/store-info', head, 'DELETE'),
    await call('/auth/me', head),
    await call('/settings/store-info', { ...head, 'X-Service-Key': 'cx_pk_live_slip' }),
  ]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [404, 422, 404, 405, 401, 401],
  )
  assert.deepEqual(responses.map(allowed), Array(6).fill(SHOP))
})

test('an unknown origin cannot read an error without a store', async () => {
  await open(SHOP)

  assert.equal(allowed(await call('/nowhere', { Origin: EVIL })), null)
})

test('a cached response is sent with the origin of each request', async () => {
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

test('private responses and errors are sent with Cache-Control: no-store', async () => {
  const store = await open(SHOP)
  const { token } = await buildStaff(store, { role: 'owner' })
  const key = { 'X-Service-Key': store.key }
  const bearer = { Authorization: `Bearer ${token}` }

  const responses = [
    await call('/cart', key),
    await call('/auth/me', bearer),
    await call('/admin/settings', bearer),
    await call('/products/nowhere', key),
    await call('/nowhere', key),
  ]

  assert.deepEqual(
    responses.map(({ headers }) => headers.get('Cache-Control')),
    Array(5).fill('no-store'),
  )
})

const onDomain = (domain: string, origin: string) =>
  rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${domain}\r\nOrigin: ${origin}\r\n`)

test("the store's own domain needs neither a key nor a list of origins", async () => {
  const { domain } = await open(SHOP)

  for (const origin of [`http://${domain}`, `https://${domain}`])
    assert.match(await onDomain(domain, origin), /^HTTP\/1\.1 200/, origin)
  assert.match(
    await onDomain(`${domain}:8080`, `http://${domain}:8080`),
    /Access-Control-Allow-Origin: http:\/\/[\w.-]+:8080\r\n/,
  )
})

test("the store's domain refuses other origins, another store's domain among them", async () => {
  const [{ domain }, other] = [await open(SHOP), await open(SHOP)]

  for (const origin of [EVIL, SHOP, `https://${other.domain}`, `http://${domain}:8080`, 'null'])
    assert.match(await onDomain(domain, origin), /^HTTP\/1\.1 403.*auth\.origin_not_allowed/s, origin)
})

test("a key with a list of origins also allows its own store's domain, but no other store's", async () => {
  const [store, other] = [await open(SHOP), await open(SHOP)]
  const from = (domain: string) =>
    call('/settings/store-info', { 'X-Service-Key': store.key, Origin: `https://${domain}` })

  assert.equal((await from(store.domain)).status, 200)
  assert.equal((await from(other.domain)).status, 403)
})

test('a known origin can read responses of admin operations', async () => {
  const store = await open(SHOP)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const from = (origin: string) =>
    call('/admin/publishable-keys', { Authorization: `Bearer ${token}`, Origin: origin })

  assert.equal(allowed(await from(SHOP)), SHOP)
  assert.equal(allowed(await from(EVIL)), null)
})

const NAMED = 'https://named.example'
const ADMIN = [
  '/admin/orders',
  '/admin/publishable-keys',
  '/Admin/events',
  '/admin/nowhere',
  '/auth/me',
  '/super-admin/stores',
]

/** Any origin: of every scheme, host and port, with the tricks that pass for another one. */
const origins = fc.oneof(
  fc.webUrl({ withFragments: false }).map((url) => new URL(url).origin),
  fc.tuple(fc.domain(), fc.nat(65_535)).map(([host, port]) => `https://${host}:${port}`),
  fc.constantFrom(
    'null',
    `${NAMED}.evil.example`,
    `${NAMED}:444`,
    'http://named.example',
    'https://NAMED.example.',
    '*',
  ),
  fc.domain().map((host) => `capacitor://${host}`),
)

// From here on one key lets any origin in.
test('a key without origins gives no origin access to admin responses', async () => {
  const store = await open()
  await open(NAMED)
  const { token } = await buildStaff(store, { role: 'owner' })
  const seen = { storefront: 0, admin: 0 }

  await fc.assert(
    fc.asyncProperty(origins, fc.constantFrom(...ADMIN), async (origin, path) => {
      const answer = await call(path, { Authorization: `Bearer ${token}`, Origin: origin })
      assert.equal(allowed(answer), null, `${origin} reads ${path} (${answer.status})`)
      if (path !== '/auth/me')
        assert.equal(allowed(await preflight(origin, path)), null, `preflight of ${path}`)
      seen.admin += 1
      const shop = await call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })
      if (allowed(shop) === origin) seen.storefront += 1
    }),
    { numRuns: 300, seed: 16 },
  )
  const named = await call('/admin/orders', { Authorization: `Bearer ${token}`, Origin: NAMED })

  assert.equal(allowed(named), NAMED)
  assert.equal((await preflight(NAMED, '/admin/orders')).status, 204)
  assert.equal(seen.admin, 300)
  assert.ok(seen.storefront > 200, 'control: the same key opens its storefront to these origins')
})

test('a key without a list allows every origin except null', async () => {
  const store = await open()
  const from = (origin: string) =>
    call('/settings/store-info', { 'X-Service-Key': store.key, Origin: origin })

  assert.equal(allowed(await from(EVIL)), EVIL)
  assert.equal((await preflight(EVIL)).status, 204)
  assert.equal((await from('null')).status, 403)
  assert.equal((await preflight('null')).status, 403)
})

test('a path in capitals gives no origin access to responses for staff', async () => {
  const store = await open()
  const { token } = await buildStaff(store, { role: 'owner' })
  const headers = { Authorization: `Bearer ${token}`, Origin: EVIL }

  const response = await fetch(`${baseUrl}/API/V1/auth/me`, { headers })

  assert.deepEqual({ status: response.status, allowed: allowed(response) }, { status: 200, allowed: null })
})
