import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import type { Context } from 'koa'
import { clientAddress } from '#api/platform/auth/client-address.ts'
import { countOrigin } from '#api/platform/rate-limits/network-limits.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { PublishableKey } from '#shared/stores/publishable-keys/publishable-key.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildTwoFactor, wrongCode } from '#test/support/builders/two-factor.ts'
import { freezeClock, moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'

function setLimits(limits: Record<string, number>): void {
  for (const [name, perMinute] of Object.entries(limits)) process.env[`LIMIT_${name}`] = String(perMinute)
  resetConfig()
}

afterEach(async () => {
  setLimits({
    LOGIN: 0,
    REGISTER: 0,
    FORGOT: 0,
    CODES: 0,
    API: 0,
    ADMIN: 0,
    STORE: 0,
    NETWORK: 0,
    SIGN_INS: 0,
  })
  await db()('rate_limits').delete()
})

const newEmail = () => `limited-${nextNumber()}@example.test`
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status)

test('with limits of 0 nothing is counted', async () => {
  await db()('rate_limits').delete()
  const store = await buildStore()

  const { headers } = await request('GET /settings/store-info', { store })

  assert.equal(headers.get('RateLimit'), null)
  assert.deepEqual(await db()('rate_limits'), [])
})

test('RateLimit headers show the limit and the rest; past it 429 carries Retry-After', async () => {
  setLimits({ API: 2 })
  freezeClock(now())
  const store = await buildStore()
  const ask = () => request('GET /settings/store-info', { store })

  const responses = [await ask(), await ask(), await ask()]

  assert.deepEqual(statuses(responses), [200, 200, 429])
  assert.deepEqual(
    responses.map(({ headers }) => ({
      policy: headers.get('RateLimit-Policy'),
      limit: headers.get('RateLimit'),
    })),
    [
      { policy: '"api";q=2;w=60', limit: '"api";r=1;t=60' },
      { policy: '"api";q=2;w=60', limit: '"api";r=0;t=60' },
      { policy: '"api";q=2;w=60', limit: '"api";r=0;t=60' },
    ],
  )
  assert.equal(responses[2]?.error_code, 'rate_limit.exceeded')
  assert.equal(responses[2]?.headers.get('Retry-After'), '60')

  moveClock(MINUTE_MS + 1_000)
  assert.equal((await ask()).status, 200)
})

test('cached catalog reads count against the limit', async () => {
  setLimits({ API: 3 })
  const store = await buildStore()
  await buildProduct(store)
  const read = () => request('GET /products', { store })

  assert.deepEqual(statuses([await read(), await read(), await read(), await read()]), [200, 200, 200, 429])
})

test("requests of one store do not count against another store's limit", async () => {
  setLimits({ API: 1 })
  const [store, other] = [await buildStore(), await buildStore()]
  const read = (named: { key: string }) => request('GET /settings/store-info', { store: named })

  assert.deepEqual(statuses([await read(store), await read(store), await read(other)]), [200, 429, 200])
})

test('above LIMIT_LOGIN, every spelling of an e-mail returns 429; another e-mail does not', async () => {
  setLimits({ LOGIN: 5 })
  const store = await buildStore()
  const { email } = await buildCustomer(store, { email: newEmail() })
  const signIn = (as: string, password = 'guess') =>
    request('POST /auth/login', { store, body: { email: as, password } })

  const guesses = [email, email.toUpperCase(), ` ${email}`.trim(), email, email]
  for (const guess of guesses) assert.equal((await signIn(guess)).status, 401)

  const right = await signIn(email, PASSWORD)
  assert.partialDeepStrictEqual(right, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.match(right.headers.get('RateLimit') ?? '', /^"login";r=0;t=\d+$/)
  assert.equal((await signIn(newEmail())).status, 401)
})

test('an invalid sign-in request is not counted', async () => {
  setLimits({ LOGIN: 1 })
  const store = await buildStore()
  const email = newEmail()

  const faulty = await request('POST /auth/login', { store, body: { email } })
  const sound = await request('POST /auth/login', { store, body: { email, password: 'guess' } })

  assert.deepEqual(statuses([faulty, sound]), [422, 401])
})

test('registrations from one address above LIMIT_REGISTER get 429', async () => {
  setLimits({ REGISTER: 3, API: 100 })
  const store = await buildStore()
  const signUp = () => {
    const body = { email: newEmail(), password: PASSWORD, firstname: 'Ada', lastname: 'Byron' }
    return request('POST /auth/register', { store, body })
  }

  const responses = await Promise.all([signUp(), signUp(), signUp(), signUp(), signUp()])

  assert.deepEqual(statuses(responses).sort(), [201, 201, 201, 429, 429])
  assert.match(responses[0]?.headers.get('RateLimit-Policy') ?? '', /^"api";q=100;w=60, "register";q=3;w=60$/)
})

test('past the limit of a network, a page may read when to try again, and nothing is looked up for it', async () => {
  moveClock(-MINUTE_MS)
  setLimits({ NETWORK: 30 })
  const store = await buildStore()
  const Origin = 'https://shop.example'
  const ask = () => request('GET /settings/store-info', { store, headers: { Origin } })
  for (let n = 0; n < 40; n++) await ask()

  const statements = await countStatements(async () => {
    const { status, headers } = await ask()
    assert.equal(status, 429)
    assert.equal(headers.get('Access-Control-Allow-Origin'), Origin)
    assert.ok(Number(headers.get('Retry-After')) > 0)
  })

  assert.equal(statements, 0)
})

test('past the limit of an address its unknown origins are not looked up any more', async () => {
  setLimits({ API: 30 })
  const store = await buildStore()
  await inStore(store.id, (tx) => PublishableKey.in(tx).patch({ allowedOrigins: [] }))
  const kinds = {
    'an unknown path': { path: '/nowhere', method: 'GET' },
    'a preflight': { path: '/cart/items', method: 'OPTIONS' },
  }
  for (const [kind, { path, method }] of Object.entries(kinds)) {
    const ask = async (n: number) => {
      const headers = { Origin: `https://${n}.example`, 'Access-Control-Request-Method': 'POST' }
      const response = await fetch(`${baseUrl}/api/v1${path}`, { method, headers })
      return response.headers.get('Access-Control-Allow-Origin')
    }
    assert.ok(await ask(0), `${kind}: the key of the store allows any origin`)
    for (let n = 1; n < 40; n++) await ask(n)

    const statements = await countStatements(async () => assert.equal(await ask(40), null))

    assert.equal(statements, 0, kind)
  }
})

test('look-ups of the origin of a request without a store are limited by network, not only by address', async () => {
  setLimits({ API: 30, NETWORK: 60 })
  const isCounted = (subnet: number) => {
    const req = { headers: {}, socket: { remoteAddress: `2001:db8:0:${subnet}::1` } }
    return countOrigin({ req } as unknown as Context)
  }

  for (let subnet = 0; subnet < 60; subnet++) assert.equal(await isCounted(subnet), true)

  const statements = await countStatements(async () => assert.equal(await isCounted(60), false))
  assert.equal(statements, 0)
})

test('above LIMIT_ADMIN, a staff member gets 429 and another one does not', async () => {
  setLimits({ ADMIN: 2 })
  const store = await buildStore()
  const [one, other] = [
    await buildStaff(store, { role: 'administrator' }),
    await buildStaff(store, { role: 'administrator' }),
  ]
  const list = (token: string) => request('GET /admin/publishable-keys', { token })

  assert.deepEqual(
    statuses([await list(one.token), await list(one.token), await list(one.token), await list(other.token)]),
    [200, 200, 429, 200],
  )
})

test('above LIMIT_STORE, accounts and API tokens of a store get 429 together; those of another store do not', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const { token: member } = await buildStaff(store, { role: 'administrator' })
  const { token: first } = await buildApiToken(store, 'catalog:read')
  const { token: second } = await buildApiToken(store, 'catalog:read')
  const { token: elsewhere } = await buildApiToken(other, 'catalog:read')
  setLimits({ ADMIN: 2, STORE: 4 })
  const list = (token: string) => request('GET /admin/products', { token })

  const ofFirst = [await list(first), await list(first), await list(first), await list(first)]
  const ofOthers = [await list(second), await list(member), await list(second), await list(member)]
  const ofElsewhere = await list(elsewhere)

  assert.deepEqual(statuses(ofFirst), [200, 200, 429, 429])
  assert.deepEqual(
    statuses(ofOthers),
    [200, 200, 429, 429],
    'a request refused by its own limit is not counted',
  )
  assert.equal(ofElsewhere.status, 200)
  assert.match(ofFirst[0]?.headers.get('RateLimit-Policy') ?? '', /^"admin";q=2;w=60, "store";q=4;w=60$/)
})

test('above LIMIT_API, guessed keys and tokens of an address get 429 instead of 401', async () => {
  setLimits({ API: 3 })
  const guess = (i: number) => request('GET /settings/store-info', { store: { key: `guess-${i}` } })
  const token = () => request('GET /admin/publishable-keys', { token: 'guess' })

  assert.deepEqual(
    statuses([await guess(1), await guess(2), await token(), await guess(3), await token()]),
    [401, 401, 401, 429, 429],
  )
})

test('above LIMIT_API, requests for forbidden operations get 429 instead of 403', async () => {
  setLimits({ API: 2 })
  moveClock(2 * MINUTE_MS)
  const { token } = await buildStaff(await buildStore(), { role: 'content' })
  const ask = () => request('GET /admin/orders', { token })

  assert.deepEqual(statuses([await ask(), await ask(), await ask()]), [403, 403, 429])
})

test('above LIMIT_CODES, two-factor codes return 429; wrong passwords do not count', async () => {
  setLimits({ CODES: 2 })
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const { secret } = await buildTwoFactor(store, { type: 'customer', id })
  const signIn = (password: string) =>
    request('POST /auth/login', { store, body: { email, password, totp_code: wrongCode(secret) } })

  for (let i = 0; i < 5; i++) assert.equal((await signIn('guess')).error_code, 'auth.invalid_credentials')
  const responses = [await signIn(PASSWORD), await signIn(PASSWORD), await signIn(PASSWORD)]

  assert.deepEqual(
    responses.map(({ error_code }) => error_code),
    ['auth.totp_invalid', 'auth.totp_invalid', 'rate_limit.exceeded'],
  )
})

test('an IPv6 address counts by its /64', () => {
  assert.equal(clientAddress('2001:db8:1:2:3:4:5:6'), clientAddress('2001:db8:1:2::1'))
  assert.notEqual(clientAddress('2001:db8:1:2::1'), clientAddress('2001:db8:1:3::1'))
  assert.equal(clientAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(clientAddress('192.0.2.1'), '192.0.2.1')
})

test('exactly five of 40 parallel sign-ins are checked', async () => {
  setLimits({ LOGIN: 5 })
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const body = { email, password: 'guess' }

  const responses = await Promise.all(
    Array.from({ length: 40 }, () => request('POST /auth/login', { store, body })),
  )

  const checked = responses.filter(({ status }) => status === 401)
  const limited = responses.filter(({ status }) => status === 429)
  assert.equal(checked.length, 5)
  assert.equal(limited.length, 35)
})

/** How many of the requests are answered, when they come by six keys of different stores in turn. */
async function answeredBySixKeys(requests: number): Promise<number> {
  const stores = await Promise.all(Array.from({ length: 6 }, () => buildStore()))
  let answered = 0
  for (let n = 0; n < requests; n++) {
    const store = stores[n % stores.length] as (typeof stores)[number]
    if ((await request('GET /settings/store-info', { store })).status === 200) answered += 1
  }
  return answered
}

test('image files are limited by network, ten times as many as other requests', async () => {
  setLimits({ NETWORK: 1 })
  const ask = async () => (await fetch(`${baseUrl}/images/${'i'.repeat(32)}/200.webp`)).status

  const files: number[] = []
  for (let n = 0; n < 11; n++) files.push(await ask())

  assert.deepEqual(files, [...Array(10).fill(404), 429])
})

test('pages, the API description and unknown paths are limited together by network, apart from requests', async () => {
  const store = await buildStore()
  setLimits({ NETWORK: 4 })
  const statusOf = async (path: string) => (await fetch(`${baseUrl}${path}`)).status

  const pages: number[] = []
  for (const path of [
    '/docs',
    '/openapi.json',
    '/order',
    '/unknown',
    '/docs',
    '/openapi.json',
    '/order',
    '/unknown',
  ])
    pages.push(await statusOf(path))
  const { status } = await request('GET /settings/store-info', { store })

  assert.deepEqual(pages, [200, 200, 200, 404, 429, 429, 429, 429])
  assert.equal(status, 200)
})

test('six keys of one network get LIMIT_NETWORK responses; control: without it six times LIMIT_API', async () => {
  setLimits({ API: 5 })
  const withoutNetwork = await answeredBySixKeys(36)
  await db()('rate_limits').delete()
  setLimits({ API: 5, NETWORK: 8 })

  const answered = await answeredBySixKeys(36)

  assert.equal(withoutNetwork, 30)
  assert.equal(answered, 8)
})

test('above LIMIT_SIGN_INS, sign-ins of customers, staff and super-admins from one address get 429', async () => {
  setLimits({ LOGIN: 5, SIGN_INS: 4 })
  const body = () => ({ email: newEmail(), password: PASSWORD })
  const customer = async () => request('POST /auth/login', { store: await buildStore(), body: body() })

  const responses = [
    await customer(),
    await customer(),
    await request('POST /auth/login', { body: { ...body(), account: 'staff' } }),
    await request('POST /super-admin/auth/login', { body: body() }),
    await customer(),
    await request('POST /super-admin/auth/login', { body: body() }),
  ]

  assert.deepEqual(statuses(responses), [401, 401, 401, 401, 429, 429])
})
