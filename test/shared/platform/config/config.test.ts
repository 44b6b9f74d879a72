import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ConfigError, readConfig } from '#shared/platform/config/config.ts'

const KEY = `a:${'A'.repeat(43)}`
const COMPLETE = {
  NODE_ENV: 'development',
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

const random = () => randomBytes(32).toString('base64url')

const PRODUCTION = {
  ...COMPLETE,
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://api.example.test',
  SMTP_URL: 'smtp://mail.example.test',
  MAIL_FROM: 'shop@example.test',
  STRIPE_SECRET_KEY: 'sk_live_12345',
  TOKEN_KEYS: `a:${random()}`,
  ENCRYPTION_KEYS: `a:${random()},b:${random()}`,
}

test('an environment without NODE_ENV is refused', () => {
  assert.throws(
    () => readConfig({ ...COMPLETE, NODE_ENV: undefined }),
    /NODE_ENV: must have required property/,
  )
})

const twice = random()
const UNFIT: Record<string, { env: Record<string, string>; fault: RegExp }> = {
  'a test key of the gateway': {
    env: { STRIPE_SECRET_KEY: 'sk_test_12345' },
    fault: /STRIPE_SECRET_KEY: must be a live/,
  },
  'a restricted test key': {
    env: { STRIPE_SECRET_KEY: 'rk_test_12345' },
    fault: /STRIPE_SECRET_KEY: must be a live/,
  },
  'a public URL over http': {
    env: { PUBLIC_URL: 'http://api.example.test' },
    fault: /PUBLIC_URL: must begin with https/,
  },
  'a gateway over http': {
    env: { STRIPE_API_URL: 'HTTP://api.stripe.test' },
    fault: /STRIPE_API_URL: must begin with https/,
  },
  'a typed key': {
    env: { TOKEN_KEYS: `a:${'abcdefgh'.repeat(6)}` },
    fault: /TOKEN_KEYS: must hold random keys/,
  },
  'one key under two ids': {
    env: { TOKEN_KEYS: `a:${twice},b:${twice}` },
    fault: /TOKEN_KEYS: must repeat no key/,
  },
  'one key for tokens and encryption': {
    env: { TOKEN_KEYS: `a:${twice}`, ENCRYPTION_KEYS: `b:${twice}` },
    fault: /ENCRYPTION_KEYS: must repeat no key/,
  },
  'no limit of sign-ins': { env: { LIMIT_LOGIN: '0' }, fault: /LIMIT_LOGIN: must not be 0/ },
  'local hosts allowed': { env: { ALLOW_LOCAL_HOSTS: 'true' }, fault: /ALLOW_LOCAL_HOSTS: must not be on/ },
  'a name server of tests': { env: { DNS_SERVERS: '127.0.0.1:5353' }, fault: /DNS_SERVERS: must not be set/ },
}

test('a complete environment of production is accepted, with a restricted live key too', () => {
  assert.equal(readConfig(PRODUCTION).NODE_ENV, 'production')
  assert.equal(readConfig({ ...PRODUCTION, STRIPE_SECRET_KEY: 'rk_live_12345' }).LIMIT_LOGIN, 5)
})

for (const [name, { env, fault }] of Object.entries(UNFIT))
  test(`production refuses ${name}, and names no value`, () => {
    assert.throws(
      () => readConfig({ ...PRODUCTION, ...env }),
      ({ message }: Error) =>
        fault.test(message) &&
        Object.values(env).every((value) => value.length < 10 || !message.includes(value)),
    )
  })

for (const [name, value] of Object.entries({ ALLOW_LOCAL_HOSTS: 'true', DNS_SERVERS: '127.0.0.1:5353' }))
  test(`${name} is for development on this machine: a public PUBLIC_URL refuses it`, () => {
    const env = { ...COMPLETE, [name]: value }

    for (const PUBLIC_URL of [
      'https://staging.example.test',
      'http://localhost.example.test',
      'http://192.0.2.1',
    ])
      assert.throws(() => readConfig({ ...env, PUBLIC_URL }), new RegExp(`${name}: must not be`))
    for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://harbor.localhost'])
      assert.equal(readConfig({ ...env, PUBLIC_URL }).PUBLIC_URL, PUBLIC_URL)
  })

test('X-Forwarded-Host is trusted only behind a trusted proxy', () => {
  assert.throws(
    () => readConfig({ ...COMPLETE, TRUST_FORWARDED_HOST: 'true' }),
    /TRUST_FORWARDED_HOST: needs TRUST_PROXY/,
  )
})

test('production loads the browser library only from Stripe; development may load a stand-in', () => {
  const elsewhere = ['http://127.0.0.1:3001/stripe.js', 'https://js.stripe.com.example.test/stripe.js']

  for (const STRIPE_JS_URL of elsewhere) {
    assert.throws(() => readConfig({ ...PRODUCTION, STRIPE_JS_URL }), /STRIPE_JS_URL: must begin with/)
    assert.equal(readConfig({ ...COMPLETE, STRIPE_JS_URL }).STRIPE_JS_URL, STRIPE_JS_URL)
  }
  assert.match(readConfig(PRODUCTION).STRIPE_JS_URL, /^https:\/\/js\.stripe\.com\//)
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
