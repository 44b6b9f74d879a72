import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { startAuthorization } from '#shared/identity-providers/authorization.ts'
import { MAX_PROVIDERS } from '#shared/identity-providers/create-identity-provider.ts'
import { findOrLinkAccount } from '#shared/identity-providers/find-or-link-account.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { callbackUrl as callbackUrlOf } from '#shared/identity-providers/redirect-url.ts'
import { updateIdentityProvider } from '#shared/identity-providers/update-identity-provider.ts'
import { viewIdentityProvider } from '#shared/identity-providers/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { startIdentityProvider } from '#test/sandbox/identity-provider.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { MIB, usedHeap } from '#test/support/measure/used-heap.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import {
  buildPerson,
  buildProvider,
  REDIRECT_URL,
  provider as running,
} from '#test/support/processes/identity-provider.ts'
import { Visitor, withParams } from '#test/support/processes/visitor.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const AUTHORIZE = `${baseUrl}/api/v1/auth/oauth/acme/authorize`

async function buildShop(): Promise<BuiltStore> {
  const store = await buildStore()
  await buildProvider(store)
  return store
}

/** Signs in at the provider and returns the callback URL, not yet visited. */
async function signInAtProvider(store: BuiltStore, tamper: (providerUrl: string) => string = (url) => url) {
  const visitor = new Visitor()
  const callbackUrl = await visitor.signInAt(tamper(await visitor.begin(store)), buildPerson())
  return { visitor, callbackUrl }
}

/** Returns the callback URL of a store's first provider. */
async function callbackOf(store: BuiltStore): Promise<string> {
  const provider = await inStore(store.id, (tx) => IdentityProvider.in(tx).first())
  assert.ok(provider)
  return viewIdentityProvider(provider).callback_url
}

const refusal = async (
  visitor: Visitor,
  url: string,
): Promise<{ status: number; error_code: string | null }> => {
  const response = await visitor.visit(url)
  const { error_code } = (await response.json()) as { error_code: string | null }
  return { status: response.status, error_code }
}

const STATE_INVALID = { status: 400, error_code: 'auth.oauth_state_invalid' }

test('the authorize redirect has state, nonce, PKCE challenge and an HttpOnly cookie', async () => {
  const store = await buildShop()

  const response = await new Visitor().visit(
    withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key }),
  )

  const url = new URL(response.headers.get('location') ?? '')
  assert.equal(url.searchParams.get('response_type'), 'code')
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(url.searchParams.get(name), name)
  assert.equal(url.searchParams.get('redirect_uri'), await callbackOf(store))
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^cx_oauth_[\w-]+=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
})

test('a forged state returns 400 auth.oauth_state_invalid', async () => {
  const { visitor, callbackUrl } = await signInAtProvider(await buildShop())
  const state = new URL(callbackUrl).searchParams.get('state') ?? ''
  const changed = state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A')

  for (const wrong of [changed, 'x', `${state}x`])
    assert.deepEqual(await refusal(visitor, withParams(callbackUrl, { state: wrong })), STATE_INVALID)
})

test('a callback in another browser returns auth.oauth_state_invalid and leaves the sign-in usable', async () => {
  const { visitor, callbackUrl } = await signInAtProvider(await buildShop())

  assert.deepEqual(await refusal(new Visitor(), callbackUrl), STATE_INVALID)

  assert.ok((await visitor.comeBack(callbackUrl)).code)
})

test('a callback in a browser with another sign-in under way returns auth.oauth_state_invalid', async () => {
  const store = await buildShop()
  const victim = new Visitor()
  await victim.begin(store)
  const { callbackUrl } = await signInAtProvider(store)

  assert.deepEqual(await refusal(victim, callbackUrl), STATE_INVALID)
})

test('a second visit to the callback returns auth.oauth_state_invalid', async () => {
  const { visitor, callbackUrl } = await signInAtProvider(await buildShop())
  await visitor.comeBack(callbackUrl)

  assert.deepEqual(await refusal(visitor, callbackUrl), STATE_INVALID)
})

test('a state expires after ten minutes', async () => {
  stopClock()
  const store = await buildShop()
  const { visitor: slow, callbackUrl: late } = await signInAtProvider(store)
  const { visitor, callbackUrl } = await signInAtProvider(store)

  moveClock(10 * MINUTE_MS - 2_000)
  assert.ok((await visitor.comeBack(callbackUrl)).code)

  moveClock(10 * MINUTE_MS + 100)
  assert.deepEqual(await refusal(slow, late), STATE_INVALID)
})

const TAMPERED = {
  nonce: { nonce: 'x'.repeat(43) },
  code_challenge: { code_challenge: 'x'.repeat(43) },
}
for (const [name, params] of Object.entries(TAMPERED))
  test(`a changed ${name} in the authorize URL returns auth.oauth_answer_invalid`, async () => {
    const { visitor, callbackUrl } = await signInAtProvider(await buildShop(), (url) =>
      withParams(url, params),
    )

    assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_answer_invalid')
  })

test('a callback with another issuer or none returns auth.oauth_answer_invalid', async () => {
  const store = await buildShop()

  for (const iss of ['https://evil.example', null]) {
    const { visitor, callbackUrl } = await signInAtProvider(store)
    const found = await visitor.comeBack(withParams(callbackUrl, { iss }))
    assert.equal(found.error, 'auth.oauth_answer_invalid', String(iss))
  }
})

test("a code from another person's sign-in returns auth.oauth_answer_invalid", async () => {
  const store = await buildShop()
  const { callbackUrl: stolen } = await signInAtProvider(store)
  const { visitor, callbackUrl } = await signInAtProvider(store)
  const code = new URL(stolen).searchParams.get('code')

  const { error } = await visitor.comeBack(withParams(callbackUrl, { code }))

  assert.equal(error, 'auth.oauth_answer_invalid')
})

test("a callback at another provider's path returns auth.oauth_state_invalid", async () => {
  const store = await buildShop()
  const second = await buildProvider(store, { code: 'second' })
  const { visitor, callbackUrl } = await signInAtProvider(store)
  const { search } = new URL(callbackUrl)

  assert.deepEqual(await refusal(visitor, viewIdentityProvider(second).callback_url + search), STATE_INVALID)
})

/** Starts a hostile provider, which keeps the codes that it gets. */
async function startHostileProvider(): Promise<{ issuer: string; codes: string[] }> {
  const codes: string[] = []
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    codes.push(...form.getAll('code'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const described = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  }
  return { issuer, codes }
}

test("a provider of one store does not get a code that another store's provider has issued", async () => {
  const [shop, hostile] = [await buildStore(), await buildStore()]
  const { issuer, codes } = await startHostileProvider()
  await buildProvider(hostile, { issuer })
  const registered = await buildProvider(shop)
  const unnamed = await startIdentityProvider({
    redirectUrls: [viewIdentityProvider(registered).callback_url],
    namesItself: false,
  })
  after(() => unnamed.stop())
  await inStore(shop.id, (tx) => IdentityProvider.in(tx).patch({ issuer: unnamed.issuer }))
  const [attacker, victim] = [new Visitor(), new Visitor()]
  const sentByShop = await attacker.begin(shop)
  const sentByHostile = new URL(await victim.begin(hostile))

  // The hostile provider sends the victim's browser to the other one, with the attacker's challenge and nonce.
  const state = sentByHostile.searchParams.get('state')
  const back = await victim.signInAt(withParams(sentByShop, { state }), { sub: 'ada' })
  const answer = await refusal(victim, back)

  assert.ok(new URL(back).searchParams.get('code'))
  assert.deepEqual(codes, [])
  assert.deepEqual(answer, { status: 404, error_code: 'resource.not_found' })
})

test('a provider of another store returns 404', async () => {
  await buildShop()
  const store = await buildStore()
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

  assert.deepEqual(await refusal(new Visitor(), link), { status: 404, error_code: 'resource.not_found' })
})

test('a callback to an inactive provider returns 404', async () => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await signInAtProvider(store)
  await inStore(store.id, (tx) => IdentityProvider.in(tx).patch({ isActive: false }))

  assert.deepEqual(await refusal(visitor, callbackUrl), { status: 404, error_code: 'resource.not_found' })
})

test('a provider deleted during the sign-in returns auth.oauth_provider_unavailable', async () => {
  const store = await buildStore()
  const deleted = await buildProvider(store)
  const identity = {
    subject: 'ada',
    verifiedEmail: 'ada@people.example.test',
    firstname: 'Ada',
    lastname: '',
  }
  const browser = { device: { ip: null, userAgent: null }, language: 'en' }
  const input = { providerId: deleted.id, redirectUrl: REDIRECT_URL, clientState: null, codeChallenge: null }
  await inStore(store.id, (tx) => IdentityProvider.in(tx).delete())

  const unavailable = { code: 'auth.oauth_provider_unavailable' }
  await assert.rejects(
    inStore(store.id, (tx) => startAuthorization(tx, input)),
    unavailable,
  )
  await assert.rejects(
    inStore(store.id, (tx) => findOrLinkAccount(tx, deleted, identity, browser)),
    unavailable,
  )
})

test('a redirect URL removed before the callback returns 422 auth.oauth_redirect_not_allowed', async () => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await signInAtProvider(store)
  await inStore(store.id, (tx) => IdentityProvider.in(tx).patch({ redirectUrls: ['https://new.example/in'] }))

  assert.deepEqual(await refusal(visitor, callbackUrl), {
    status: 422,
    error_code: 'auth.oauth_redirect_not_allowed',
  })
})

test('a redirect URL removed during the token request returns 422 auth.oauth_redirect_not_allowed', async (t) => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await signInAtProvider(store)
  const find = running.people.get.bind(running.people)
  const providerCalled = Promise.withResolvers<void>()
  t.mock.method(running.people, 'get', (sub: string) => {
    providerCalled.resolve()
    return find(sub)
  })
  const { id: ownerId } = await buildStaff(store, { role: 'owner' })
  const change = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      const provider = await IdentityProvider.in(tx).first()
      await updateIdentityProvider(
        tx,
        ownerId,
        provider?.id ?? '',
        { redirectUrls: ['https://new.example/in'] },
        undefined,
      )
    },
  )

  const answer = refusal(visitor, callbackUrl)
  await providerCalled.promise
  await untilOneWaits()
  change.commit()
  await change.done

  assert.deepEqual(await answer, { status: 422, error_code: 'auth.oauth_redirect_not_allowed' })
})

const UNLISTED_URLS = [
  'https://evil.example/',
  'https://shop.example.test/signed-in',
  `${REDIRECT_URL}&more=1`,
  `${REDIRECT_URL}/`,
  REDIRECT_URL.replace('https', 'http'),
  REDIRECT_URL.replace('shop', 'SHOP'),
  REDIRECT_URL.replace('://', '://user@'),
  REDIRECT_URL.replace('/signed-in', '/x/../signed-in'),
]
for (const redirect_url of UNLISTED_URLS)
  test(`the unlisted redirect URL ${redirect_url} returns 422`, async () => {
    const store = await buildShop()
    const link = withParams(AUTHORIZE, { redirect_url, service_key: store.key })

    assert.deepEqual(await refusal(new Visitor(), link), {
      status: 422,
      error_code: 'auth.oauth_redirect_not_allowed',
    })
  })

test('a link without a valid publishable key returns 401', async () => {
  const store = await buildShop()
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL })
  const visitor = new Visitor()

  assert.deepEqual(await refusal(visitor, link), { status: 401, error_code: 'auth.store_required' })
  const unknown = withParams(link, { service_key: `${store.key.slice(0, -1)}x` })
  assert.deepEqual(await refusal(visitor, unknown), {
    status: 401,
    error_code: 'auth.publishable_key_invalid',
  })
})

test('an unreachable provider returns 502 and stores no attempt', async () => {
  const store = await buildStore()
  const stopped = await startIdentityProvider({ redirectUrls: [] })
  await stopped.stop()
  await buildProvider(store, { issuer: stopped.issuer })
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

  assert.deepEqual(await refusal(new Visitor(), link), {
    status: 502,
    error_code: 'auth.oauth_provider_unavailable',
  })

  assert.equal(await inStore(store.id, (tx) => tx.knex('oauth_attempts').first()), undefined)
})

test('a provider that stops before the callback redirects with auth.oauth_provider_unavailable', async () => {
  const store = await buildStore()
  const stoppable = await startIdentityProvider({
    redirectUrls: [callbackUrlOf(baseUrl, '*')],
  })
  await buildProvider(store, { issuer: stoppable.issuer })
  const visitor = new Visitor()
  const callbackUrl = await visitor.signInAt(await visitor.begin(store), { sub: 'ada' })
  await stoppable.stop()

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})

test('a wrong client secret redirects with auth.oauth_provider_unavailable', async () => {
  const store = await buildStore()
  await buildProvider(store, { clientSecret: 'wrong' })
  const { visitor, callbackUrl } = await signInAtProvider(store)

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})

/** Serves the real provider's discovery document with changes; returns the issuer. */
async function serveDiscovery(change: object): Promise<string> {
  const real = await fetch(`${running.issuer}/.well-known/openid-configuration`)
  const server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...described, ...change })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const described = { ...((await real.json()) as object), issuer }
  return issuer
}

/** Values that take much more memory than text. */
const fillers = (count: number) => Array.from({ length: count }, () => ({}))

const INVALID_DISCOVERY = {
  'two thousand values': { filler: fillers(2_000) },
  'another issuer': { issuer: running.issuer },
  'an authorization endpoint on a private host': { authorization_endpoint: 'https://10.0.0.1/authorize' },
  'a javascript: authorization endpoint': { authorization_endpoint: 'javascript:alert(1)' },
}
for (const [fault, change] of Object.entries(INVALID_DISCOVERY))
  test(`a discovery document with ${fault} returns 502`, async () => {
    const store = await buildStore()
    await buildProvider(store, { issuer: await serveDiscovery(change) })
    const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

    assert.deepEqual(await refusal(new Visitor(), link), {
      status: 502,
      error_code: 'auth.oauth_provider_unavailable',
    })
  })

test('creating and deleting providers does not grow the caches of the process', async () => {
  const store = await buildStore()
  const issuer = await serveDiscovery({ filler: fillers(800), text: 'x'.repeat(40_000) })
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })
  const useOnce = async () => {
    const { id } = await buildProvider(store, { issuer })
    assert.equal((await new Visitor().visit(link)).status, 302)
    await inStore(store.id, (tx) => IdentityProvider.in(tx).deleteById(id))
  }
  for (let i = 0; i < MAX_PROVIDERS; i++) await useOnce()
  const before = usedHeap()

  for (let i = 0; i < 100; i++) await useOnce()

  const growth = usedHeap() - before
  assert.ok(growth < 8 * MIB, `${Math.round(growth / MIB)} MiB`)
})

test('a token endpoint at a private address redirects with auth.oauth_provider_unavailable', async () => {
  const store = await buildStore()
  const iss = await serveDiscovery({ token_endpoint: 'https://169.254.169.254/token' })
  await buildProvider(store, { issuer: iss })
  const visitor = new Visitor()
  const state = new URL(await visitor.begin(store)).searchParams.get('state') ?? ''
  const callbackUrl = withParams(await callbackOf(store), { state, iss, code: 'x' })

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})
