import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { startPostgres } from '#test/sandbox/postgres.ts'
import { commandOf } from '#test/sandbox/start/procfile.ts'
import { databaseUrl, makeRole, makeTemplate, TEMPLATE } from '#test/support/runner/template.ts'
import { residentMib } from './footprint.ts'

// Measures webhooks from commit to request: a real worker process, a real receiver, a durable PostgreSQL.
// node test/bench/webhooks.ts
const dataDir = await mkdtemp(join(tmpdir(), 'commerce-bench-'))
const postgres = await startPostgres({
  dataDir: join(dataDir, 'postgres'),
  durable: true,
  maxConnections: 100,
})
const role = await makeRole(postgres.url)
const key = () => `bench:${randomBytes(32).toString('base64url')}`
Object.assign(process.env, {
  LOG_LEVEL: 'warn',
  TOKEN_KEYS: key(),
  ENCRYPTION_KEYS: key(),
  STRIPE_SECRET_KEY: 'sk_test_sandbox_gateway',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox_gateway',
  ALLOW_LOCAL_HOSTS: 'true',
})
await makeTemplate(postgres.url, role)
process.env.DATABASE_URL = databaseUrl(role, TEMPLATE)

const { closeDb } = await import('#shared/platform/db/db.ts')
const { defineEvent, emit, emitAll } = await import('#shared/platform/events/events.ts')
const { newId } = await import('#shared/platform/db/id.ts')
const { closeQueues } = await import('#shared/platform/jobs/sender.ts')
const { inStore } = await import('#shared/platform/db/store-scope.ts')
const { checkPublicUrl } = await import('#shared/webhooks/check-webhook-url.ts')
const { createWebhook } = await import('#shared/webhooks/create-webhook.ts')
const { createStore } = await import('#shared/stores/lifecycle/create-store.ts')

const parcelMoved = defineEvent(
  'parcel.moved',
  'system',
  'A parcel moved',
  Type.Object({ step: Type.Integer() }),
)
const arrivals: number[] = []
let arrived = Promise.withResolvers<void>()
const receiver = createServer((request, response) => {
  request.resume().on('end', async () => {
    if (request.url === '/slow') await pause(5_000)
    else {
      arrivals.push(performance.now())
      arrived.resolve()
    }
    response.end('ok')
  })
}).listen(0, '127.0.0.1')
await new Promise((resolve) => receiver.once('listening', resolve))
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const worker = await startWorker()
const rows: Record<string, unknown>[] = []
try {
  rows.push({ what: 'resident at start', mib: residentMib(worker) })
  const store = await buildStore('/hook')
  await emitOne(store)
  rows.push({ what: 'commit → request, idle', ...(await latency(store, 50)) })
  rows.push({ what: '5,000 events, one store', ...(await throughput([store], 5_000)) })
  const stores = await Promise.all(Array.from({ length: 20 }, () => buildStore('/hook')))
  rows.push({ what: '5,000 events, twenty stores', ...(await throughput(stores, 5_000)) })
  for (let i = 0; i < 5; i++) {
    const slow = await buildStore('/slow')
    await inStore(slow, (tx) => emitAll(tx, parcelMoved, many(200)))
  }
  await pause(1_000)
  rows.push({ what: 'commit → request beside 5 slow stores, 1,000 waiting', ...(await latency(store, 20)) })
  rows.push({ what: 'resident after all of that', mib: residentMib(worker) })
  console.table(rows)
} finally {
  worker.kill('SIGKILL')
  receiver.closeAllConnections()
  receiver.close()
  await closeQueues()
  await closeDb()
  await postgres.stop('immediate')
  await rm(dataDir, { recursive: true, force: true })
}

function startWorker(): Promise<ChildProcess> {
  const { args, env } = commandOf('worker')
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, LOG_LEVEL: 'info', PROCESS_NAME: 'worker' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      if (/"level":"(warn|error)"/.test(text)) console.log(text.slice(0, 500))
      if (text.includes('worker ready')) resolve(child)
    })
  })
}

async function buildStore(path: string): Promise<string> {
  const { id } = await inStore(newId(), (tx) =>
    createStore(tx, {
      slug: `bench-${randomBytes(4).toString('hex')}`,
      name: 'Bench',
      email: 'bench@example.com',
      currency: 'EUR',
      languages: ['en'],
      timeZone: 'UTC',
    }),
  )
  const url = await checkPublicUrl(base + path)
  await inStore(id, (tx) => createWebhook(tx, null, { url, events: ['*'] }))
  return id
}

function many(count: number) {
  return Array.from({ length: count }, (_, step) => ({ step }))
}

async function emitOne(store: string): Promise<number> {
  arrived = Promise.withResolvers()
  await inStore(store, (tx) => emit(tx, parcelMoved, { step: 1 }))
  const committed = performance.now()
  await arrived.promise
  return performance.now() - committed
}

async function latency(store: string, count: number) {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    times.push(await emitOne(store))
    await pause(30)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { p50_ms: at(0.5), p95_ms: at(0.95) }
}

async function throughput(stores: string[], count: number) {
  arrivals.length = 0
  const started = performance.now()
  for (const store of stores)
    for (let sent = 0; sent < count / stores.length; sent += 250)
      await inStore(store, (tx) => emitAll(tx, parcelMoved, many(250)))
  while (arrivals.length < count && performance.now() - started < 60_000) await pause(20)
  const seconds = ((arrivals.at(-1) ?? started) - started) / 1_000
  return { received: arrivals.length, per_second: Math.round(arrivals.length / seconds) }
}
