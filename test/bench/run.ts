import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '#shared/stores/store.ts'
import { startGateway } from '#test/sandbox/gateway/gateway.ts'
import { startMailbox } from '#test/sandbox/mailbox.ts'
import { startPostgres } from '#test/sandbox/postgres.ts'
import { untilAnswers } from '#test/sandbox/start/answers.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { commandOf } from '#test/sandbox/start/procfile.ts'
import { databaseUrl, makeRole, runAsSuperuser } from '#test/support/runner/template.ts'
import { type Resident, residentMib, tellFootprint } from './footprint.ts'
import { compare, type Load, type Measured } from './measure.ts'
import { planFloor } from './plan-floor.ts'

// `npm run bench`: compares the service with its floor in one run, on a durable PostgreSQL of its own.
// `npm run bench -- orders`, `-- reports`, `-- imports`, `-- visits`, `-- hostile`, `-- customers` and
// `-- subscriptions` measure these alone.
const PART = process.argv[2]
const ORDERS = Number(process.env.BENCH_ORDERS || 1_000_000)
const PRODUCTS = Number(process.env.BENCH_PRODUCTS || 1_000)
const SUBSCRIPTIONS = Number(process.env.BENCH_SUBSCRIPTIONS || 1_000_000)
const IMPORTED = Number(process.env.BENCH_IMPORTED || 10_000)
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS || 1_000_000)
const FILLED_ORDERS = 1_000
const ROUNDS = Number(process.env.BENCH_ROUNDS || 3)
const SECONDS = Number(process.env.BENCH_SECONDS || 3)
// On a busy machine a process starts slowly.
const START_MS = 180_000

const dir = await mkdtemp(join(tmpdir(), 'commerce-bench-'))
const postgres = await startPostgres({ dataDir: join(dir, 'postgres'), durable: true, maxConnections: 100 })
const gateway = await startGateway({ secretKey: 'sk_test_bench' })
const mailbox = await startMailbox()
const children: ChildProcess[] = []

try {
  const role = await makeRole(postgres.url)
  await runAsSuperuser(postgres.url, 'create database commerce owner commerce')
  const secret = () => `bench:${randomBytes(32).toString('base64url')}`
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl(role, 'commerce'),
    TOKEN_KEYS: secret(),
    ENCRYPTION_KEYS: secret(),
    NODE_ENV: 'development',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_API_URL: gateway.url,
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'shop@bench.example',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    LOG_LEVEL: 'info',
    STOP_DELAY_MS: '0',
    // The till listens on this machine.
    ALLOW_LOCAL_HOSTS: 'true',
    // Buyers come from different networks.
    TRUST_PROXY: 'true',
    // Requests are counted as usual but never reach the limit.
    LIMIT_API: '1000000000',
    LIMIT_NETWORK: '1000000000',
    LIMIT_ORDERS: '1000000000',
    LIMIT_CARTS: '1000000000',
    LIMIT_STORED_MB: '1000000000',
    LIMIT_SIGN_INS: '1000000000',
    LIMIT_ADMIN: '1000000000',
    LIMIT_STORE: '1000000000',
    LIMIT_LOGIN: '0',
    LIMIT_CODES: '0',
  })
  const { migrate } = await import('#migrations/migrate.ts')
  await migrate()
  if (PART === 'reports') await benchReports()
  else if (PART === 'hostile') await benchHostileBodiesAlone()
  else if (PART === 'imports') print(await benchImports())
  else if (PART === 'customers') print(await benchCustomersAlone())
  else if (PART === 'subscriptions') print(await benchSubscriptionsAlone())
  else await benchService()
} finally {
  const ended = children.map((child) => once(child, 'exit'))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ended)
  const { closeQueues } = await import('#shared/platform/jobs/sender.ts')
  const { closeDb } = await import('#shared/platform/db/db.ts')
  await closeQueues()
  await closeDb()
  await gateway.stop()
  await mailbox.stop()
  await postgres.stop('immediate')
  await rm(dir, { recursive: true, force: true })
}
process.exit()

async function benchService(): Promise<void> {
  const { fillStore } = await import('./bench-store.ts')
  const { store, key } = await fillStore(PRODUCTS, (done) => progress(`${done} of ${PRODUCTS} products`))

  const ports = { first: await freePort(0), again: await freePort(0), floor: await freePort(0) }
  const at = (port: number) => `http://127.0.0.1:${port}`
  const begun = performance.now()
  const webProcess = serve('web', ports.again, {})
  await untilAnswers(`${at(ports.again)}/health/ready`, START_MS)
  const startMs = performance.now() - begun
  const web: Resident = { 'at start': residentMib(webProcess) }
  progress(`${FILLED_ORDERS} orders`)
  const { measureOrders, openShop, placeOrders } = await import('./orders.ts')
  const shop = await openShop({ store, key, serviceUrl: at(ports.again) })
  // Without rows PostgreSQL would plan to read whole tables, and keep these plans while they grow.
  await placeOrders(shop.buy, FILLED_ORDERS)
  await runAsSuperuser(databaseUrl(postgres.url, 'commerce'), 'vacuum analyze')
  const orders = { store, shop, pid: webProcess.pid ?? 0, rounds: ROUNDS, seconds: SECONDS }
  if (PART === 'orders') return print(await measureOrders(orders))
  serve('web', ports.first, { CATALOG_CACHE_MB: '0' })
  await untilAnswers(`${at(ports.first)}/health/ready`, START_MS)
  const rows = await planFloor({ store, key, products: PRODUCTS, serviceUrl: at(ports.first) })
  const planFile = join(dir, 'floor.json')
  await writeFile(planFile, JSON.stringify(rows.plan))
  const floorProcess = run(['test/bench/floor.ts', planFile], { PORT: String(ports.floor) })
  await untilAnswers(`${at(ports.floor)}/list/0`, START_MS)
  await rows.assertSameBytes(at(ports.floor))

  const table: string[][] = []
  const add = (...measured: string[][]) => {
    for (const row of measured) progress(row.join(' | '))
    table.push(...measured)
  }
  const on = (url: string, load: Omit<Load, 'url'>): Load => ({ url, ...load })
  const isVisit = ({ name }: { name: string }) => name.includes('visit')
  const compared = PART === 'visits' ? rows.comparisons.filter(isVisit) : rows.comparisons
  for (const { name, target, floor, ours, cached, expected } of compared) {
    progress(name)
    const result = await compare(
      on(at(ports.floor), floor),
      on(at(cached ? ports.again : ports.first), ours),
      {
        rounds: ROUNDS,
        seconds: SECONDS,
        expected,
      },
    )
    add([name, figures(result.floor), figures(result.ours), `${result.ratio.toFixed(2)} ×`, target])
  }
  const { measureVisitCpu } = await import('./visits.ts')
  const visit = rows.comparisons.find(isVisit)
  if (visit)
    add(
      await measureVisitCpu(
        { load: on(at(ports.floor), visit.floor), pid: floorProcess.pid ?? 0 },
        { load: on(at(ports.again), visit.ours), pid: webProcess.pid ?? 0 },
        SECONDS,
      ),
    )
  if (PART === 'visits') return print(table)
  web['after reads and carts'] = residentMib(webProcess)
  const subject = { store, key, serviceUrl: at(ports.again), rounds: ROUNDS, seconds: SECONDS }
  add(await benchHostileBodies(store))
  progress('Placing orders')
  add(...(await measureOrders(orders)))
  progress('Signing in')
  const { measureIdentity } = await import('./identity.ts')
  add(...(await measureIdentity(subject)))
  progress(`Subscriptions: ${SUBSCRIPTIONS}`)
  const { measureCharges, measureScan } = await import('./subscriptions.ts')
  add(await measureScan(SUBSCRIPTIONS))
  progress('Linked catalog')
  // Started here because the earlier figures measure the web process alone.
  const workerProcess = serve('worker', 0, {})
  const { awaitIdleWorker } = await import('./await-idle-worker.ts')
  await awaitIdleWorker()
  const { measureRemoteCatalog } = await import('./remote-catalog.ts')
  add(await measureRemoteCatalog(subject))
  web['at the end'] = residentMib(webProcess)
  progress('Charging subscriptions')
  add(await measureCharges(gateway))
  progress(`Customers: ${CUSTOMERS}`)
  const { measureCustomers } = await import('./customers.ts')
  add(...(await measureCustomers({ ...subject, customers: CUSTOMERS })))
  const worker = { 'after the events of those orders and the linked catalog': residentMib(workerProcess) }
  add(...tellFootprint({ web, worker, startMs }))
  progress('')
  print(table)
}

async function benchCustomersAlone(): Promise<string[][]> {
  const port = await freePort(0)
  serve('web', port, {})
  const serviceUrl = `http://127.0.0.1:${port}`
  await untilAnswers(`${serviceUrl}/health/ready`, START_MS)
  progress(`Customers: ${CUSTOMERS}`)
  const { measureCustomers } = await import('./customers.ts')
  return measureCustomers({ serviceUrl, rounds: ROUNDS, seconds: SECONDS, customers: CUSTOMERS })
}

async function benchSubscriptionsAlone(): Promise<string[][]> {
  const { measureCharges, measureScan } = await import('./subscriptions.ts')
  progress(`Subscriptions: ${SUBSCRIPTIONS}`)
  const scan = await measureScan(SUBSCRIPTIONS)
  serve('worker', 0, {})
  progress('Charging subscriptions')
  return [scan, await measureCharges(gateway)]
}

async function benchImports(): Promise<string[][]> {
  const port = await freePort(0)
  const web = serve('web', port, {})
  const worker = serve('worker', 0, {})
  await untilAnswers(`http://127.0.0.1:${port}/health/ready`)
  progress(`Imports: ${IMPORTED} products`)
  const { measureImports } = await import('./imports.ts')
  const subject = { serviceUrl: `http://127.0.0.1:${port}`, rounds: ROUNDS, products: IMPORTED, web, worker }
  return measureImports(subject)
}

async function benchHostileBodiesAlone(): Promise<void> {
  const { fillStore } = await import('./bench-store.ts')
  const { store } = await fillStore(1, () => {})
  print([await benchHostileBodies(store)])
}

/** In a web process of its own, so that the figures of the others are theirs. */
async function benchHostileBodies(store: Store): Promise<string[]> {
  const [port, metricsPort] = [await freePort(0), await freePort(0)]
  const serviceUrl = `http://127.0.0.1:${port}`
  serve('web', port, { METRICS_PORT: String(metricsPort) })
  await untilAnswers(`${serviceUrl}/health/ready`)
  progress('Hostile bodies')
  const { measureHostileBodies } = await import('./hostile.ts')
  return measureHostileBodies({ store, serviceUrl, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` })
}

async function benchReports(): Promise<void> {
  const port = await freePort(0)
  serve('web', port, {})
  await untilAnswers(`http://127.0.0.1:${port}/health/ready`, START_MS)
  progress(`Reports: ${ORDERS} orders`)
  const { measureReports } = await import('./reports.ts')
  const superuserUrl = databaseUrl(postgres.url, 'commerce')
  const serviceUrl = `http://127.0.0.1:${port}`
  print(await measureReports({ serviceUrl, superuserUrl, rounds: ROUNDS, orders: ORDERS }))
}

function serve(name: 'web' | 'worker', port: number, env: Record<string, string>): ChildProcess {
  const command = commandOf(name)
  return run(command.args, { ...command.env, ...env, PORT: String(port) })
}

function run(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

function figures({ perSecond, p50, p99 }: Measured): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s, ${p50}–${p99} ms`
}

function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`)
  else if (what) console.error(what)
}

function print(table: string[][]): void {
  const head = ['What', 'Floor (p50–p99)', 'Service (p50–p99)', 'Ratio', 'Target']
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  console.log(
    [
      `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${PRODUCTS.toLocaleString('en')} products × 3 variants, 32 connections, median of ${ROUNDS} rounds of ${SECONDS} s:`,
      '',
      line(head),
      line(head.map(() => '---')),
      ...table.map(line),
    ].join('\n'),
  )
}
