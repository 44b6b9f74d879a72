import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'
import { DEFAULT_PATHS } from '#shared/stores/settings/links.ts'
import { baseUrl } from '#test/support/processes/app.ts'

const OWN = "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"

function configure(variables: Record<string, string>): void {
  for (const name of ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_JS_URL']) delete process.env[name]
  Object.assign(process.env, variables)
  resetConfig()
}
after(() => configure({}))

const policyOf = async (path: string) =>
  (await fetch(`${baseUrl}${path}`)).headers.get('Content-Security-Policy')

test('a page without a payment, or without a publishable key, allows nothing but the service', async () => {
  configure({ STRIPE_PUBLISHABLE_KEY: 'pk_test_browser' })
  assert.equal(await policyOf('/reset-password'), OWN)

  configure({})
  for (const path of ['/order', '/subscription']) {
    assert.equal(await policyOf(path), OWN)
    assert.match(await (await fetch(`${baseUrl}${path}`)).text(), /"cards":null/)
  }
})

test('a page with a payment allows the sources of Stripe’s library and nothing else', async () => {
  configure({ STRIPE_PUBLISHABLE_KEY: 'pk_test_browser' })

  for (const path of ['/order', '/subscription'])
    assert.equal(
      await policyOf(path),
      `${OWN}; script-src 'self' https://js.stripe.com https://*.js.stripe.com; ` +
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; ' +
        "connect-src 'self' https://api.stripe.com",
    )
  const page = await (await fetch(`${baseUrl}/order`)).text()
  assert.match(page, /"key":"pk_test_browser","library":"https:\/\/js\.stripe\.com\/endive\/stripe\.js"/)
})

test('a page with a payment allows the origin of another library', async () => {
  const library = 'http://127.0.0.1:3999'
  configure({ STRIPE_PUBLISHABLE_KEY: 'pk_test_browser', STRIPE_JS_URL: `${library}/_sandbox/stripe.js` })

  assert.equal(
    await policyOf('/order'),
    `${OWN}; script-src 'self' ${library}; frame-src ${library}; connect-src 'self' ${library}`,
  )
})

test('only the modules of the pages are served', async () => {
  const module = await fetch(`${baseUrl}/pages/order.js`)
  assert.deepEqual(
    { status: module.status, type: module.headers.get('Content-Type') },
    { status: 200, type: 'text/javascript; charset=utf-8' },
  )
  for (const path of ['/pages/routes.ts', '/pages/..%2Froutes.ts', '/pages/constructor'])
    assert.equal((await fetch(`${baseUrl}${path}`)).status, 404, path)
})

test('each page that a mail links to is in the reader’s language and sends no referrer', async () => {
  for (const path of Object.values(DEFAULT_PATHS)) {
    const german = await fetch(`${baseUrl}${path}`, { headers: { 'Accept-Language': 'de-CH, en;q=0.5' } })
    const other = await fetch(`${baseUrl}${path}`, { headers: { 'Accept-Language': 'fr' } })

    assert.equal(german.status, 200, path)
    assert.equal(other.status, 200, path)
    const page = await german.text()
    assert.match(page, /<html lang="de">/)
    assert.match(
      page,
      /<form [^>]*method="post"/,
      'without its script it writes no password into the address',
    )
    assert.match(await other.text(), /<html lang="en">/)
    assert.equal(german.headers.get('Referrer-Policy'), 'no-referrer')
    assert.match(
      german.headers.get('Content-Security-Policy') ?? '',
      /^default-src 'self'; frame-ancestors 'none'/,
    )
  }
})
