import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { browserCookie } from '#api/identity-providers/browser-cookie.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { baseUrl, rawRequest } from '#test/support/processes/app.ts'
import { buildProvider, REDIRECT_URL } from '#test/support/processes/identity-provider.ts'

afterEach(() => {
  process.env.PUBLIC_URL = baseUrl
  resetConfig()
})

/** Requests the authorize link at a host and returns the redirect URI, state and cookie of the answer. */
async function begin(host: string, query: Record<string, string> = {}) {
  const params = new URLSearchParams({ redirect_url: REDIRECT_URL, ...query })
  const answer = await rawRequest(
    `GET /api/v1/auth/oauth/acme/authorize?${params} HTTP/1.1\r\nHost: ${host}\r\n`,
  )
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(answer)?.[1]?.trim() ?? ''
  const { searchParams } = new URL(header('location'))
  const [cookie = ''] = header('set-cookie').split(';')
  return {
    redirectUri: searchParams.get('redirect_uri'),
    state: searchParams.get('state') ?? '',
    cookie,
    isSecure: /; Secure$/.test(header('set-cookie')),
  }
}

/** A store with a provider, and the path of its callback URL. */
async function buildShop(): Promise<BuiltStore & { path: string }> {
  const store = await buildStore()
  const { id } = await buildProvider(store)
  return { ...store, path: `/api/v1/auth/oauth/${id}/callback` }
}

test("at the store's own domain the redirect URI uses that domain, without a publishable key", async () => {
  const { domain, path } = await buildShop()

  const { redirectUri } = await begin(`${domain}:8080`)

  assert.equal(redirectUri, `http://${domain}:8080${path}`)
})

test('at any other host the redirect URI uses the public URL, not the Host header', async () => {
  const [store, other] = [await buildShop(), await buildShop()]
  for (const host of ['evil.example', 'evil.example:8443', '[::1]:1'])
    assert.equal((await begin(host, { service_key: store.key })).redirectUri, `${baseUrl}${store.path}`, host)

  const answer = await rawRequest(
    `GET /api/v1/auth/oauth/acme/authorize?redirect_url=x&service_key=${store.key} HTTP/1.1\r\nHost: ${other.domain}\r\n`,
  )
  assert.match(answer, /auth\.publishable_key_invalid/)
})

test("a state used at another store's domain returns 400 auth.oauth_state_invalid", async () => {
  const [store, other] = [await buildShop(), await buildShop()]
  const { state, cookie } = await begin(store.domain)

  const answer = await rawRequest(
    `GET ${store.path}?state=${state}&code=x HTTP/1.1\r\nHost: ${other.domain}\r\nCookie: ${cookie}\r\n`,
  )

  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /auth\.oauth_state_invalid/)
})

test('over https the cookie has the __Host- prefix and the Secure attribute', async () => {
  const store = await buildShop()
  process.env.PUBLIC_URL = 'https://api.localhost/'
  resetConfig()

  const { redirectUri, cookie, isSecure } = await begin('api.example.test', { service_key: store.key })

  assert.equal(redirectUri, `https://api.localhost${store.path}`)
  assert.ok(cookie.startsWith('__Host-cx_oauth_'))
  assert.ok(isSecure)
})

test('over https a cookie without the prefix is ignored: a sibling domain can set it', () => {
  const cookie = browserCookie('id', 'https://api.localhost/')
  const request = (text: string) => ({ headers: { cookie: text } }) as Parameters<typeof cookie.read>[0]

  assert.equal(cookie.read(request('a=b; cx_oauth_id=planted')), '')
  assert.equal(cookie.read(request('a=b; __Host-cx_oauth_id=own; cx_oauth_id=planted')), 'own')
  assert.equal(cookie.read({ headers: {} } as Parameters<typeof cookie.read>[0]), '')
})
