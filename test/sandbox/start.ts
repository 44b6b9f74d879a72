import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { closeDb } from '#shared/platform/db/db.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import { SandboxClock } from '#test/sandbox/clock/sandbox-clock.ts'
import { serveClock } from '#test/sandbox/clock/server.ts'
import { untilAnswers } from '#test/sandbox/start/answers.ts'
import { claimSandbox } from '#test/sandbox/start/claim-sandbox.ts'
import { openDatabase } from '#test/sandbox/start/database.ts'
import { callbackUrls } from '#test/sandbox/start/identity-provider.ts'
import { freePort, isFree } from '#test/sandbox/start/ports.ts'
import { FOLLOW, Processes } from '#test/sandbox/start/processes.ts'
import { commandOf } from '#test/sandbox/start/procfile.ts'
import { openSecrets } from '#test/sandbox/start/secrets.ts'
import { openStores } from '#test/sandbox/start/stores.ts'
import { printTable } from '#test/sandbox/start/table.ts'
import { challengeVariables } from './challenge.ts'

// `npm start`: runs the whole service on this machine, with sandboxes of its outside systems.
const PORT = Number(process.env.PORT || 3000)
const DIR = resolve(process.env.SANDBOX_DIR || '.sandbox')
const accessFile = join(DIR, 'access.json')
const WORKERS = ['money', 'worker'] as const
/** `money` has its role from the Procfile, `worker` the others. */
const ROLES_BESIDE_MONEY = { WORKER_QUEUES: 'mail-and-webhooks,bulk' }
const OUTSIDE = ['gateway', 'receiver', 'mailbox', 'identity-provider', 'till', 'challenge']
// Read by the server commands (`npm run audit:verify` and others) while the sandbox runs.
const environmentFile = join(DIR, 'environment')

// First of all: another start must not touch what the running one has written.
const claim = await claimSandbox(DIR)
if (typeof claim === 'string') {
  console.error(claim)
  process.exit(1)
}
if (!(await isFree(PORT))) {
  console.error(`Port ${PORT} is taken. Choose another: PORT=3100 npm start`)
  process.exit(1)
}

const started = performance.now()
const say = (what: string) =>
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`)
console.log('Starting the Commerce Service')

await forgetAccess()
const secrets = await openSecrets(DIR)
const processes = new Processes(DIR)
const { url: databaseUrl, postgres } = await openDatabase(DIR)
say(postgres ? 'PostgreSQL runs' : 'PostgreSQL as DATABASE_URL says')

const ports = {
  gateway: await freePort(PORT + 1),
  receiver: await freePort(PORT + 2),
  mailbox: await freePort(PORT + 3),
  smtp: await freePort(PORT + 4),
  identityProvider: await freePort(PORT + 5),
  till: await freePort(PORT + 6),
  clock: await freePort(PORT + 7),
}
const metricsPorts = {
  web: await freePort(PORT + 8),
  money: await freePort(PORT + 9),
  worker: await freePort(PORT + 10),
}
const local = (port: number) => `http://127.0.0.1:${port}`
const challengePort = process.env.SANDBOX_CHALLENGE ? await freePort(PORT + 11) : null
const baseUrl = `http://localhost:${PORT}`
const service = {
  NODE_ENV: 'development',
  DATABASE_URL: databaseUrl,
  PORT: String(PORT),
  // Ctrl-C stops immediately: no load balancer needs to learn of it.
  STOP_DELAY_MS: '0',
  PUBLIC_URL: baseUrl,
  IMAGES_DIR: join(DIR, 'images'),
  AUDIT_ANCHORS: join(DIR, 'audit-anchors'),
  TOKEN_KEYS: secrets.tokenKeys,
  ENCRYPTION_KEYS: secrets.encryptionKeys,
  STRIPE_SECRET_KEY: secrets.gatewaySecretKey,
  STRIPE_WEBHOOK_SECRET: secrets.gatewayWebhookSecret,
  STRIPE_API_URL: local(ports.gateway),
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_JS_URL: `${local(ports.gateway)}/_sandbox/stripe.js`,
  ALLOW_LOCAL_HOSTS: 'true',
  SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
  MAIL_FROM: 'shop@localhost',
  // All users of the sandbox share one address.
  LIMIT_API: process.env.LIMIT_API || '1000000',
  LIMIT_NETWORK: process.env.LIMIT_NETWORK || '1000000',
  LIMIT_DECLINES: process.env.LIMIT_DECLINES || '1000',
  LIMIT_ORDERS: process.env.LIMIT_ORDERS || '1000000',
  LIMIT_CARTS: process.env.LIMIT_CARTS || '1000000',
  LIMIT_STORED_MB: process.env.LIMIT_STORED_MB || '1000000',
  LIMIT_ADMIN: process.env.LIMIT_ADMIN || '1000000',
  LIMIT_STORE: process.env.LIMIT_STORE || '1000000',
  LIMIT_QUESTIONS: process.env.LIMIT_QUESTIONS || '100',
  ...(challengePort === null ? {} : challengeVariables(challengePort)),
}
const clockFile = join(DIR, 'clock.json')
Object.assign(process.env, service, { SANDBOX_CLOCK: clockFile })
const clock = new SandboxClock({
  file: clockFile,
  moveProcesses: (offsetMs) => processes.moveClock(offsetMs),
  countGatewayEvents: async () => {
    const response = await fetch(`${local(ports.gateway)}/_sandbox/webhooks`)
    const { waiting, paused } = (await response.json()) as { waiting: number; paused: boolean }
    return paused ? 0 : waiting
  },
})

let stopping: Promise<void> | undefined
const stop = () => {
  stopping ??= (async () => {
    console.log('\nStopping')
    await forgetAccess()
    await processes.stop('web', ...WORKERS)
    await processes.stop(...OUTSIDE)
    await closeQueues()
    await closeDb()
    await postgres?.stop()
    await claim.release()
    process.exit(0)
  })()
  return stopping
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

try {
  await processes.start('gateway', ['test/sandbox/gateway/server.ts'], {
    GATEWAY_PORT: String(ports.gateway),
    GATEWAY_SECRET_KEY: secrets.gatewaySecretKey,
    GATEWAY_WEBHOOK_URL: `${local(PORT)}/api/v1/payments/stripe/webhook`,
    GATEWAY_WEBHOOK_SECRET: secrets.gatewayWebhookSecret,
    GATEWAY_STATE_FILE: join(DIR, 'gateway.jsonl'),
  })
  await processes.start('receiver', ['test/sandbox/receiver.ts'], { RECEIVER_PORT: String(ports.receiver) })
  await processes.start('mailbox', ['test/sandbox/mailbox.ts'], {
    MAILBOX_HTTP_PORT: String(ports.mailbox),
    MAILBOX_SMTP_PORT: String(ports.smtp),
  })
  await processes.start('identity-provider', ['test/sandbox/identity-provider.ts'], {
    IDENTITY_PROVIDER_PORT: String(ports.identityProvider),
    IDENTITY_PROVIDER_REDIRECT_URLS: callbackUrls(baseUrl).join(),
  })
  if (challengePort !== null)
    await processes.start('challenge', ['test/sandbox/challenge.ts'], {
      CHALLENGE_PORT: String(challengePort),
    })
  await processes.start('till', ['test/sandbox/till.ts'], { TILL_PORT: String(ports.till) })
  const { migrate } = await import('#migrations/migrate.ts')
  const applied = await migrate()
  say(applied.length ? `${applied.length} migrations applied` : 'the database is up to date')
  await clock.startQueue()

  for (const name of ['web', ...WORKERS] as const) {
    const { args, env } = commandOf(name)
    const METRICS_PORT = String(metricsPorts[name])
    await processes.start(name, args, { ...service, ...ROLES_BESIDE_MONEY, ...env, METRICS_PORT })
  }
  await Promise.all([
    untilAnswers(`${baseUrl}/health/ready`),
    untilAnswers(`${local(ports.gateway)}/_sandbox/ledger`),
    untilAnswers(`${local(ports.receiver)}/hooks/ready/requests`),
    untilAnswers(`${local(ports.mailbox)}/mails`),
    untilAnswers(`${local(ports.identityProvider)}/.well-known/openid-configuration`),
    untilAnswers(`${local(ports.till)}/_sandbox/accounts`),
  ])
  say('web, workers, gateway, webhook receiver, mailbox, identity provider and till answer')

  const { seedSuperAdmin } = await import('#migrations/seeds/super-admin.ts')
  const super_admin = await seedSuperAdmin()
  const stores = await openStores({
    dir: DIR,
    baseUrl,
    identityProviderUrl: local(ports.identityProvider),
    tillUrl: local(ports.till),
    secrets,
    say,
  })
  await serveClock(clock, ports.clock)
  const access = {
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    stores,
    super_admin,
    gateway_url: local(ports.gateway),
    gateway_secret_key: secrets.gatewaySecretKey,
    till_url: local(ports.till),
    identity_provider_url: local(ports.identityProvider),
    mailbox_url: local(ports.mailbox),
    receiver_url: local(ports.receiver),
    clock_url: `${local(ports.clock)}/_sandbox/clock`,
    metrics_urls: {
      web: `${local(metricsPorts.web)}/metrics`,
      money: `${local(metricsPorts.money)}/metrics`,
      worker: `${local(metricsPorts.worker)}/metrics`,
    },
  }
  const follow = { SANDBOX_CLOCK: clockFile, NODE_OPTIONS: `--import ${FOLLOW}` }
  await writeFile(environmentFile, toLines({ ...service, ...follow }), { mode: 0o600 })
  await writeFile(accessFile, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  say('ready')
  printTable(access, DIR)
} catch (error) {
  console.error(error)
  console.error(`The start failed. The processes' logs are in ${join(DIR, 'logs')}`)
  process.exitCode = 1
  await processes.stop('web', ...WORKERS, ...OUTSIDE)
  await postgres?.stop()
  process.exit(1)
}

async function forgetAccess(): Promise<void> {
  await rm(accessFile, { force: true })
  await rm(environmentFile, { force: true })
}

function toLines(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}
