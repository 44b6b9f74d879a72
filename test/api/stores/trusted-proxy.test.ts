import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'

process.env.TRUST_PROXY = 'true'
process.env.TRUST_FORWARDED_HOST = 'true'
resetConfig()
const { rawRequest } = await import('#test/support/processes/app.ts')

const visit = (...headers: string[]) =>
  rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\n${headers.join('\r\n')}\r\n`)

test('behind a trusted proxy X-Forwarded-Host selects the store', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  const answer = await visit(`Host: ${other.domain}`, `X-Forwarded-Host: ${store.domain.toUpperCase()}.`)

  assert.match(answer, new RegExp(`"slug":"${store.slug}"`))
})

test('without TRUST_FORWARDED_HOST the Host selects the store, and what the caller forwards is ignored', async (t) => {
  t.after(() => {
    process.env.TRUST_FORWARDED_HOST = 'true'
    resetConfig()
  })
  const [store, other] = [await buildStore(), await buildStore()]
  process.env.TRUST_FORWARDED_HOST = 'false'
  resetConfig()

  const answer = await visit(`Host: ${other.domain}`, `X-Forwarded-Host: ${store.domain}`)

  assert.match(answer, new RegExp(`"slug":"${other.slug}"`))
})

test('a cached answer varies by the forwarded host that found its store', async () => {
  const { domain } = await buildStore()

  const answer = await rawRequest(
    `GET /api/v1/products HTTP/1.1\r\nHost: shop\r\nX-Forwarded-Host: ${domain}\r\n`,
  )

  assert.match(answer, /^Vary: .*\bX-Forwarded-Host\b/m)
  assert.match(answer, /^Cache-Control: public, /m)
})

test('rate limits count by the last X-Forwarded-For address, without port and per IPv6 /64', async () => {
  const store = await buildStore()
  process.env.LIMIT_API = '1'
  resetConfig()
  const from = async (addresses: string) => {
    const answer = await visit('Host: shop', `X-Service-Key: ${store.key}`, `X-Forwarded-For: ${addresses}`)
    return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
  }

  const statuses = [
    await from('198.51.100.1, 192.0.2.1'),
    await from('198.51.100.2, 192.0.2.1'),
    await from('198.51.100.2, 192.0.2.2'),
    await from('2001:db8:1:2::1'),
    await from('2001:db8:1:2::2'),
    await from('192.0.2.3:50001'),
    await from('192.0.2.3:50002'),
    await from('[2001:db8:1:3::1]:50001'),
    await from('[2001:db8:1:3::2]:50002'),
  ]

  process.env.LIMIT_API = '0'
  resetConfig()
  assert.deepEqual(statuses, ['200', '429', '200', '200', '429', '200', '429', '200', '429'])
})

test('the limit of a network counts IPv4 as it is and IPv6 by its /48, over all keys', async () => {
  const stores = [await buildStore(), await buildStore()]
  process.env.LIMIT_NETWORK = '1'
  resetConfig()
  let n = 0
  const from = async (address: string) => {
    const key = stores[n++ % 2]?.key
    const answer = await visit('Host: shop', `X-Service-Key: ${key}`, `X-Forwarded-For: ${address}`)
    return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
  }

  const statuses = [
    await from('203.0.113.1'),
    await from('203.0.113.1'),
    await from('203.0.113.2'),
    await from('2001:db8:5:1::1'),
    await from('2001:db8:5:2::1'),
    await from('2001:db8:6:1::1'),
    await from('::ffff:203.0.113.3'),
    await from('203.0.113.3'),
  ]

  process.env.LIMIT_NETWORK = '0'
  resetConfig()
  assert.deepEqual(statuses, ['200', '429', '200', '200', '429', '200', '200', '429'])
})

const LIMITED = [
  {
    variable: 'LIMIT_REGISTER',
    path: '/auth/register',
    body: (n: number) => ({
      email: `a${n}@b.test`,
      password: 'staple by staple',
      firstname: 'A',
      lastname: 'B',
    }),
  },
  { variable: 'LIMIT_FORGOT', path: '/auth/password/forgot', body: () => ({ email: 'a@b.test' }) },
  {
    variable: 'LIMIT_QUESTIONS',
    path: '/products/none/questions',
    body: () => ({ author_name: 'A', author_email: 'a@b.test', body: 'Is it warm?' }),
  },
]

for (const { variable, path, body } of LIMITED)
  test(`the addresses of an IPv6 /48 network share ten times ${variable}; IPv4 addresses share no limit`, async () => {
    const store = await buildStore()
    process.env[variable] = '1'
    resetConfig()
    const isLimited = async (address: string, n: number) => {
      const sent = JSON.stringify(body(n))
      const answer = await rawRequest(
        `POST /api/v1${path} HTTP/1.1\r\nHost: shop\r\nX-Service-Key: ${store.key}\r\n` +
          `X-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${sent.length}\r\n`,
        sent,
      )
      return answer.startsWith('HTTP/1.1 429')
    }
    const limitedOf = async (addresses: string[]) => {
      let limited = 0
      for (const [n, address] of addresses.entries()) if (await isLimited(address, n)) limited += 1
      return limited
    }
    const upTo12 = Array.from({ length: 12 }, (_, n) => n)

    const inNetwork = await limitedOf(upTo12.map((n) => `2001:db8:7:${n}::1`))
    const inOtherNetworks = await limitedOf(upTo12.map((n) => `2001:db8:${n + 100}::1`))
    const inIpv4 = await limitedOf(upTo12.map((n) => `203.0.113.${n + 100}`))

    process.env[variable] = '0'
    resetConfig()
    assert.deepEqual({ inNetwork, inOtherNetworks, inIpv4 }, { inNetwork: 2, inOtherNetworks: 0, inIpv4: 0 })
  })

test('a session stores the forwarded address without its port', async () => {
  const store = await buildStore()
  const body = JSON.stringify({
    email: 'a@b.test',
    password: 'staple by staple',
    firstname: 'A',
    lastname: 'B',
  })

  await rawRequest(
    `POST /api/v1/auth/register HTTP/1.1\r\nHost: shop\r\nX-Service-Key: ${store.key}\r\n` +
      `X-Forwarded-For: 192.0.2.7:50001\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
    body,
  )

  const session = await inStore(store.id, (tx) => tx.knex('sessions').first())
  assert.equal(session?.ip, '192.0.2.7')
})

test('an idempotency key of a guest with a cart replays from any address; without a cart, from no other address', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 9 }] })
  const body = JSON.stringify({ variant_id: variants[0]?.id, quantity: 1 })
  const add = async (address: string, cart?: string) => {
    const answer = await rawRequest(
      `POST /api/v1/cart/items HTTP/1.1\r\nHost: shop\r\nX-Service-Key: ${store.key}\r\nIdempotency-Key: 1\r\n` +
        `X-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${cart ? `X-Cart-Token: ${cart}\r\n` : ''}`,
      body,
    )
    const [, token] = /"token":"([^"]+)"/.exec(answer) ?? []
    return { token, isReplayed: /^Idempotent-Replayed: true/im.test(answer) }
  }

  const [mine, neighbours] = [await add('198.51.100.1'), await add('198.51.100.1')]
  const ofCart = [await add('198.51.100.1', mine.token), await add('198.51.100.2', mine.token)]

  assert.ok(mine.token && neighbours.token)
  assert.notEqual(neighbours.token, mine.token)
  assert.deepEqual(
    ofCart.map(({ isReplayed }) => isReplayed),
    [false, true],
  )
})

test('two X-Forwarded-Host headers return 400', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  const answer = await visit(
    'Host: proxy.example',
    `X-Forwarded-Host: ${store.domain}`,
    `X-Forwarded-Host: ${other.domain}`,
  )

  assert.match(answer, /^HTTP\/1.1 400/)
})

test('a list in X-Forwarded-Host returns 400: the caller may have sent part of it', async () => {
  const [store, other] = [await buildStore(), await buildStore()]

  const answer = await visit('Host: proxy.example', `X-Forwarded-Host: ${store.domain}, ${other.domain}`)

  assert.match(answer, /^HTTP\/1\.1 400/)
})
