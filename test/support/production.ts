import type { TestContext } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  ALLOW_LOCAL_HOSTS: 'false',
  PUBLIC_URL: 'https://api.example.test',
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
