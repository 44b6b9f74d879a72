import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { startAuthorization } from '#shared/identity-providers/authorization.ts'
import { changeProvider } from '#shared/identity-providers/change-provider.ts'
import { findOrLinkAccount } from '#shared/identity-providers/find-or-link-account.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { startIdentityProvider } from '#test/sandbox/identity-provider.ts'
import { baseUrl } from '#test/support/app.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import {
  buildPerson,
  buildProvider,
  REDIRECT_URL,
  provider as running,
} from '#test/support/identity-provider.ts'
import { pending, untilOneWaits } from '#test/support/overlap.ts'
import { Visitor, withParams } from '#test/support/visitor.ts'

const AUTHORIZE = `${baseUrl}/api/v1/auth/oauth/acme/authorize`

async function buildShop(): Promise<BuiltStore> {
  const store = await buildStore()
  await buildProvider(store)
  return store
}

/** A sign-in that has come as far as the way back from the provider. */
async function almostBack(store: BuiltStore, tamper: (providerUrl: string) => string = (url) => url) {
  const visitor = new Visitor()
  const callbackUrl = await visitor.signInAt(tamper(await visitor.begin(store)), buildPerson())
  return { visitor, callbackUrl }
}

const refusal = async (visitor: Visitor, url: string): Promise<[number, string | null]> => {
  const response = await visitor.visit(url)
  const { error_code } = (await response.json()) as { error_code: string | null }
  return [response.status, error_code]
}

const BAD_STATE = [400, 'auth.oauth_state_invalid']

test('the link to a provider keeps nothing back that protects the sign-in', async () => {
  const store = await buildShop()

  const response = await new Visitor().visit(
    withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key }),
  )

  const url = new URL(response.headers.get('location') ?? '')
  assert.equal(url.searchParams.get('response_type'), 'code')
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(url.searchParams.get(name), name)
  assert.equal(url.searchParams.get('redirect_uri'), `${baseUrl}/api/v1/auth/oauth/acme/callback`)
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^cx_oauth_[\w-]+=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
})

test('a state that nobody was given is refused', async () => {
  const { visitor, callbackUrl } = await almostBack(await buildShop())
  const state = new URL(callbackUrl).searchParams.get('state') ?? ''
  const changed = state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A')

  for (const wrong of [changed, 'x', `${state}x`])
    assert.deepEqual(await refusal(visitor, withParams(callbackUrl, { state: wrong })), BAD_STATE)
})

test('another browser cannot end a sign-in, nor spoil it', async () => {
  const { visitor, callbackUrl } = await almostBack(await buildShop())

  assert.deepEqual(await refusal(new Visitor(), callbackUrl), BAD_STATE)

  assert.ok((await visitor.comeBack(callbackUrl)).code)
})

test('a browser that has begun a sign-in of its own cannot end another one with it', async () => {
  const store = await buildShop()
  const victim = new Visitor()
  await victim.begin(store)
  const { callbackUrl } = await almostBack(store)

  assert.deepEqual(await refusal(victim, callbackUrl), BAD_STATE)
})

test('the way back can be gone once', async () => {
  const { visitor, callbackUrl } = await almostBack(await buildShop())
  await visitor.comeBack(callbackUrl)

  assert.deepEqual(await refusal(visitor, callbackUrl), BAD_STATE)
})

test('a sign-in may take ten minutes', async () => {
  stopClock()
  const store = await buildShop()
  const { visitor: slow, callbackUrl: late } = await almostBack(store)
  const { visitor, callbackUrl } = await almostBack(store)

  moveClock(10 * MINUTE_MS - 2_000)
  assert.ok((await visitor.comeBack(callbackUrl)).code)

  moveClock(10 * MINUTE_MS + 100)
  assert.deepEqual(await refusal(slow, late), BAD_STATE)
})

const TAMPERED = {
  'asked with another nonce': { nonce: 'x'.repeat(43) },
  'asked with another code_challenge': { code_challenge: 'x'.repeat(43) },
}
for (const [how, params] of Object.entries(TAMPERED))
  test(`an answer to a question ${how} is refused`, async () => {
    const { visitor, callbackUrl } = await almostBack(await buildShop(), (url) => withParams(url, params))

    assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_answer_invalid')
  })

test('an answer in the name of another issuer is refused', async () => {
  const store = await buildShop()

  for (const iss of ['https://evil.example', null]) {
    const { visitor, callbackUrl } = await almostBack(store)
    const found = await visitor.comeBack(withParams(callbackUrl, { iss }))
    assert.equal(found.error, 'auth.oauth_answer_invalid', String(iss))
  }
})

test("a code of somebody else's sign-in is of no use in one's own", async () => {
  const store = await buildShop()
  const { callbackUrl: stolen } = await almostBack(store)
  const { visitor, callbackUrl } = await almostBack(store)
  const code = new URL(stolen).searchParams.get('code')

  const { error } = await visitor.comeBack(withParams(callbackUrl, { code }))

  assert.equal(error, 'auth.oauth_answer_invalid')
})

test("one provider's answer is not taken at another one's callback", async () => {
  const store = await buildShop()
  await buildProvider(store, { code: 'second' })
  const { visitor, callbackUrl } = await almostBack(store)

  assert.deepEqual(await refusal(visitor, callbackUrl.replace('/acme/', '/second/')), BAD_STATE)
})

test('a provider of another store does not exist here', async () => {
  await buildShop()
  const store = await buildStore()
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

  assert.deepEqual(await refusal(new Visitor(), link), [404, 'resource.not_found'])
})

test('a provider that was switched off ends sign-ins under way', async () => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await almostBack(store)
  await inStore(store.id, (tx) => IdentityProvider.in(tx).patch({ isActive: false }))

  assert.deepEqual(await refusal(visitor, callbackUrl), [404, 'resource.not_found'])
})

test('a provider that goes while it is called is no fault of ours', async () => {
  const store = await buildStore()
  const gone = await buildProvider(store)
  const identity = {
    subject: 'ada',
    verifiedEmail: 'ada@people.example.test',
    firstname: 'Ada',
    lastname: '',
  }
  const beginning = { providerId: gone.id, redirectUrl: REDIRECT_URL, clientState: null, codeChallenge: null }
  await inStore(store.id, (tx) => IdentityProvider.in(tx).delete())

  const unavailable = { code: 'auth.oauth_provider_unavailable' }
  await assert.rejects(
    inStore(store.id, (tx) => startAuthorization(tx, beginning)),
    unavailable,
  )
  await assert.rejects(
    inStore(store.id, (tx) => findOrLinkAccount(tx, gone, identity, 'en')),
    unavailable,
  )
})

test('an address that was taken off the list ends sign-ins under way that would lead there', async () => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await almostBack(store)
  await inStore(store.id, (tx) => IdentityProvider.in(tx).patch({ redirectUrls: ['https://new.example/in'] }))

  assert.deepEqual(await refusal(visitor, callbackUrl), [422, 'auth.oauth_redirect_not_allowed'])
})

test('an address that is taken off the list while the provider is asked gets no code', async (t) => {
  const store = await buildShop()
  const { visitor, callbackUrl } = await almostBack(store)
  const find = running.people.get.bind(running.people)
  const isAsked = Promise.withResolvers<void>()
  t.mock.method(running.people, 'get', (sub: string) => {
    isAsked.resolve()
    return find(sub)
  })
  const change = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      const provider = await IdentityProvider.in(tx).first()
      await changeProvider(
        tx,
        newId(),
        provider?.id ?? '',
        { redirectUrls: ['https://new.example/in'] },
        undefined,
      )
    },
  )

  const answer = refusal(visitor, callbackUrl)
  await isAsked.promise
  await untilOneWaits()
  change.commit()
  await change.done

  assert.deepEqual(await answer, [422, 'auth.oauth_redirect_not_allowed'])
})

const ELSEWHERE = [
  'https://evil.example/',
  'https://shop.example.test/signed-in',
  `${REDIRECT_URL}&more=1`,
  `${REDIRECT_URL}/`,
  REDIRECT_URL.replace('https', 'http'),
  REDIRECT_URL.replace('shop', 'SHOP'),
  REDIRECT_URL.replace('://', '://user@'),
  REDIRECT_URL.replace('/signed-in', '/x/../signed-in'),
]
for (const redirect_url of ELSEWHERE)
  test(`no sign-in leads back to ${redirect_url}`, async () => {
    const store = await buildShop()
    const link = withParams(AUTHORIZE, { redirect_url, service_key: store.key })

    assert.deepEqual(await refusal(new Visitor(), link), [422, 'auth.oauth_redirect_not_allowed'])
  })

test('a link must name its store, by a key that is in use', async () => {
  const store = await buildShop()
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL })
  const visitor = new Visitor()

  assert.deepEqual(await refusal(visitor, link), [401, 'auth.store_required'])
  const unknown = withParams(link, { service_key: `${store.key.slice(0, -1)}x` })
  assert.deepEqual(await refusal(visitor, unknown), [401, 'auth.publishable_key_invalid'])
})

test('a provider that is down cannot be begun with, and nothing is noted', async () => {
  const store = await buildStore()
  const dead = await startIdentityProvider({ redirectUrls: [] })
  await dead.stop()
  await buildProvider(store, { issuer: dead.issuer })
  const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

  assert.deepEqual(await refusal(new Visitor(), link), [502, 'auth.oauth_provider_unavailable'])

  assert.equal(await inStore(store.id, (tx) => tx.knex('oauth_attempts').first()), undefined)
})

test('a provider that goes down meanwhile is told to the sign-in page', async () => {
  const store = await buildStore()
  const mortal = await startIdentityProvider({
    redirectUrls: [`${baseUrl}/api/v1/auth/oauth/acme/callback`],
  })
  await buildProvider(store, { issuer: mortal.issuer })
  const visitor = new Visitor()
  const callbackUrl = await visitor.signInAt(await visitor.begin(store), { sub: 'ada' })
  await mortal.stop()

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})

test('a wrong client secret is for the store to mend, and lets nobody in', async () => {
  const store = await buildStore()
  await buildProvider(store, { clientSecret: 'wrong' })
  const { visitor, callbackUrl } = await almostBack(store)

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})

/** A provider whose description of itself is what a test makes of the real one's. */
async function liar(change: object): Promise<string> {
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

const LIES = {
  'another issuer': { issuer: running.issuer },
  'a page on a private host': { authorization_endpoint: 'https://10.0.0.1/authorize' },
  'a page that is a script': { authorization_endpoint: 'javascript:alert(1)' },
}
for (const [what, lie] of Object.entries(LIES))
  test(`a provider that describes ${what} is not gone to`, async () => {
    const store = await buildStore()
    await buildProvider(store, { issuer: await liar(lie) })
    const link = withParams(AUTHORIZE, { redirect_url: REDIRECT_URL, service_key: store.key })

    assert.deepEqual(await refusal(new Visitor(), link), [502, 'auth.oauth_provider_unavailable'])
  })

test('a provider that names a private address for tokens is not asked there', async () => {
  const store = await buildStore()
  const iss = await liar({ token_endpoint: 'https://169.254.169.254/token' })
  await buildProvider(store, { issuer: iss })
  const visitor = new Visitor()
  const state = new URL(await visitor.begin(store)).searchParams.get('state') ?? ''
  const callbackUrl = withParams(`${baseUrl}/api/v1/auth/oauth/acme/callback`, { state, iss, code: 'x' })

  assert.equal((await visitor.comeBack(callbackUrl)).error, 'auth.oauth_provider_unavailable')
})
