import type { TestContext } from 'node:test'
import { describeConfig, resetConfig } from '#shared/platform/config/config.ts'

// No test reaches these limits.
const LIMITS = describeConfig()
  .filter(({ name }) => name.startsWith('LIMIT_'))
  .map(({ name }) => [name, '1000000'])

/** What production demands beyond the environment of the tests. */
const PRODUCTION: Record<string, string> = {
  NODE_ENV: 'production',
  ALLOW_LOCAL_HOSTS: 'false',
  DNS_SERVERS: '',
  PUBLIC_URL: 'https://api.example.test',
  STRIPE_API_URL: 'https://api.stripe.test',
  STRIPE_SECRET_KEY: 'sk_live_12345',
  ...Object.fromEntries(LIMITS),
}

/** Sets this process to production mode until the test ends. */
export function moveToProduction(t: TestContext): void {
  const before = Object.keys(PRODUCTION).map((name) => [name, process.env[name]] as const)
  t.after(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    resetConfig()
  })
  Object.assign(process.env, PRODUCTION)
  resetConfig()
}
