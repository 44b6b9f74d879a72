import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '#shared/platform/config/config.ts'

const KEY = `a:${'A'.repeat(43)}`
const COMPLETE = {
  DATABASE_URL: 'postgres://u:p@localhost/db',
  TOKEN_KEYS: KEY,
  ENCRYPTION_KEYS: KEY,
  STRIPE_SECRET_KEY: 'sk_test_12345',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345',
}

test('a complete environment gets defaults and types', () => {
  const config = readConfig({ ...COMPLETE, PORT: '8080', TRUST_PROXY: 'true' })

  assert.equal(config.PORT, 8080)
  assert.equal(config.TRUST_PROXY, true)
  assert.equal(config.NODE_ENV, 'development')
})

test('the error names every missing or invalid variable', () => {
  assert.throws(
    () => readConfig({ ...COMPLETE, DATABASE_URL: 'mysql://x', PORT: 'many', TOKEN_KEYS: undefined }),
    (error: Error) =>
      error instanceof ConfigError &&
      ['DATABASE_URL', 'PORT', 'TOKEN_KEYS'].every((name) => error.message.includes(name)),
  )
})

test('production refuses ALLOW_LOCAL_HOSTS', () => {
  assert.throws(
    () => readConfig({ ...COMPLETE, NODE_ENV: 'production', ALLOW_LOCAL_HOSTS: 'true' }),
    /ALLOW_LOCAL_HOSTS/,
  )
})

test('production loads the browser library only from Stripe; development may load a stand-in', () => {
  const production = {
    ...COMPLETE,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://shop.example.test',
    SMTP_URL: 'smtp://mail.example.test',
    MAIL_FROM: 'shop@example.test',
  }
  const elsewhere = ['http://127.0.0.1:3001/stripe.js', 'https://js.stripe.com.example.test/stripe.js']

  for (const STRIPE_JS_URL of elsewhere) {
    assert.throws(() => readConfig({ ...production, STRIPE_JS_URL }), /STRIPE_JS_URL: must begin with/)
    assert.equal(readConfig({ ...COMPLETE, STRIPE_JS_URL }).STRIPE_JS_URL, STRIPE_JS_URL)
  }
  assert.match(readConfig(production).STRIPE_JS_URL, /^https:\/\/js\.stripe\.com\//)
})

test('a publishable key of another mode than the secret key is refused, and so is a secret one', () => {
  const wrong = { pk_live_abc: /must be a test key/, sk_test_abc: /must match pattern/ }

  for (const [key, message] of Object.entries(wrong))
    assert.throws(() => readConfig({ ...COMPLETE, STRIPE_PUBLISHABLE_KEY: key }), message)
  assert.equal(
    readConfig({ ...COMPLETE, STRIPE_PUBLISHABLE_KEY: 'pk_test_abc' }).STRIPE_PUBLISHABLE_KEY,
    'pk_test_abc',
  )
})

test('production requires PUBLIC_URL, SMTP_URL and MAIL_FROM; development does not', () => {
  assert.throws(
    () => readConfig({ ...COMPLETE, NODE_ENV: 'production' }),
    /PUBLIC_URL.*\n.*SMTP_URL.*\n.*MAIL_FROM/,
  )
  assert.equal(readConfig(COMPLETE).SMTP_URL, undefined)
})

test('a short signing key is refused', () => {
  assert.throws(() => readConfig({ ...COMPLETE, TOKEN_KEYS: 'a:short' }), /TOKEN_KEYS/)
})

test('a key of the wrong length or alphabet is refused, and the error does not contain it', () => {
  const long = 'B'.repeat(44)
  const wrong = {
    ENCRYPTION_KEYS: [
      `a:${long}`,
      `a:${'B'.repeat(42)}`,
      `${KEY},b:${'+'.repeat(43)}`,
      'B'.repeat(43),
      `${KEY},`,
    ],
    TOKEN_KEYS: [`a:${'B'.repeat(42)}`, `${KEY},b:${'/'.repeat(43)}`, `:${long}`],
  }

  for (const [name, lists] of Object.entries(wrong))
    for (const list of lists)
      assert.throws(
        () => readConfig({ ...COMPLETE, [name]: list }),
        ({ message }: Error) =>
          message.includes(`${name}: must match pattern`) && !/B{42}|A{43}/.test(message),
        list,
      )
  assert.equal(readConfig({ ...COMPLETE, TOKEN_KEYS: `a:${long}` }).TOKEN_KEYS, `a:${long}`)
})

test('two keys with one id are refused', () => {
  const keys = `${KEY},a:${'B'.repeat(43)}`

  for (const name of ['TOKEN_KEYS', 'ENCRYPTION_KEYS'])
    assert.throws(
      () => readConfig({ ...COMPLETE, [name]: keys }),
      new RegExp(`${name}: must name each key once`),
    )
})
