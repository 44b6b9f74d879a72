import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resetConfig } from '#shared/platform/config/config.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
import { type Postgres, startPostgres } from '#test/sandbox/postgres.ts'
import { databaseUrl, makeRole, makeTemplate, TEMPLATE } from '#test/support/runner/template.ts'

/** A separate PostgreSQL with a migrated database, for this process and the processes it starts. */
export interface Installation extends AsyncDisposable {
  postgres: Postgres
  /** The environment of a process of the service. */
  env: NodeJS.ProcessEnv
}

// A killed process writes no compile cache. This one exits normally, so the next ones start quickly.
async function compileOnce(env: NodeJS.ProcessEnv) {
  const all = `await import('./workers/main.ts'); await import('./api/server.ts')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', all], { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The service cannot be loaded')
}

/** `durable`: committed rows survive an immediate stop of the database. */
export async function openInstallation(
  { durable }: { durable: boolean },
  more: NodeJS.ProcessEnv = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-faults-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable, maxConnections: 200 })
  const role = await makeRole(postgres.url)
  const key = () => `test:${randomBytes(32).toString('base64url')}`
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.FAULTS_LOG ?? 'silent',
    DATABASE_URL: databaseUrl(role, TEMPLATE),
    TOKEN_KEYS: key(),
    ENCRYPTION_KEYS: key(),
    STRIPE_SECRET_KEY: 'sk_test_sandbox_gateway',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox_gateway',
    ALLOW_LOCAL_HOSTS: 'true',
    // The buyers all come from one address.
    LIMIT_API: '1000000',
    LIMIT_NETWORK: '1000000',
    LIMIT_DECLINES: '1000000',
    LIMIT_ORDERS: '1000000',
    LIMIT_CARTS: '1000000',
    LIMIT_STORED_MB: '1000000',
    LIMIT_STORE: '1000000',
    STOP_DELAY_MS: '0',
    // Many processes are started, all of the same code.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...more,
  }
  Object.assign(process.env, env)
  resetConfig()
  await makeTemplate(postgres.url, role)
  await compileOnce(env)
  return {
    postgres,
    env,
    async [Symbol.asyncDispose]() {
      await stopListening()
      await closeQueues()
      await closeDb()
      await postgres.stop('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
