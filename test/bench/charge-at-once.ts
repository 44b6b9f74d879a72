import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { chargeSavedCard } from '#shared/payments/jobs.ts'
import { now } from '#shared/platform/time/clock.ts'
import { openInstallation } from '#test/faults/installation.ts'
import { startGateway } from '#test/sandbox/gateway/gateway.ts'
import { startMailbox } from '#test/sandbox/mailbox.ts'
import { untilAnswers } from '#test/sandbox/start/answers.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { commandOf } from '#test/sandbox/start/procfile.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { cpuMs } from './cpu-time.ts'
import { countDue, fillDueSubscriptions } from './due-subscriptions.ts'

// Subscriptions of two stores that are all due together, and one of a third store: how long one worker takes, how long
// the third store waits, and what a web process answers during them.
// node test/bench/charge-at-once.ts [subscriptions] [milliseconds that the gateway takes for a payment]
const COUNT = Number(process.argv[2] ?? 1_000)
const GATEWAY_MS = Number(process.argv[3] ?? 0)
const STORES = 2

const gateway = await startGateway({ secretKey: 'sk_test_sandbox_gateway' })
if (GATEWAY_MS) gateway.faults.set({ on: 'POST /v1/payment_intents', mode: 'slow', delay_ms: GATEWAY_MS })
const mailbox = await startMailbox()
const installation = await openInstallation(
  { durable: true },
  {
    STRIPE_API_URL: gateway.url,
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'shop@example.test',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'development',
  },
)
const children: ChildProcess[] = []
const dueAt = now()
try {
  const large: { id: string }[] = []
  for (let n = 0; n < STORES; n++) {
    const store = await buildStore()
    await fillDueSubscriptions({ gateway, store, count: COUNT / STORES, dueAt })
    large.push(store)
  }
  const small = await buildStore()
  await fillDueSubscriptions({ gateway, store: small, count: 1, dueAt })
  console.log(`${COUNT} subscriptions of ${STORES} stores and one of a third are due`)

  const port = await freePort(0)
  start('web', port)
  await untilAnswers(`http://127.0.0.1:${port}/health/ready`)
  const idle = percentiles(await webTimes(port, 5_000))
  const began = performance.now()
  const worker = start('worker', 0)
  let firstSeconds: number | undefined
  let smallSeconds: number | undefined
  let left = COUNT
  const during: number[] = []
  while (left > 0) {
    during.push(...(await webTimes(port, 2_000)))
    if (smallSeconds === undefined && (await countDue(small, dueAt)) === 0) smallSeconds = since(began)
    left = (await Promise.all(large.map((store) => countDue(store, dueAt)))).reduce(
      (sum, count) => sum + count,
      0,
    )
    // The scan for due subscriptions runs once a minute.
    if (left < COUNT) firstSeconds ??= since(began)
    process.stdout.write(`${since(began).toFixed(0)} s: ${COUNT - left} charged\n`)
    if (since(began) > 7_200) break
  }
  console.log({
    subscriptions: COUNT,
    seconds: Math.round(since(began)),
    perSecond: Math.round((10 * COUNT) / (since(began) - (firstSeconds ?? 0))) / 10,
    // As many payments as the jobs allow are always under way at the gateway.
    ...(GATEWAY_MS ? { gatewaysPace: (STORES * chargeSavedCard.rules.perStore * 1_000) / GATEWAY_MS } : {}),
    firstSeconds,
    smallSeconds,
    workerCpuMsPerCharge: Math.round(cpuMs(worker.pid ?? 0) / COUNT),
    webIdle: idle,
    webDuring: percentiles(during),
  })
} finally {
  const ended = children.map((child) => once(child, 'exit'))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ended)
  await installation[Symbol.asyncDispose]()
  await gateway.stop()
  await mailbox.stop()
}

function since(began: number): number {
  return (performance.now() - began) / 1_000
}

function start(name: 'web' | 'worker', port: number): ChildProcess {
  const { args, env } = commandOf(name)
  const child = spawn(process.execPath, args, {
    env: { ...installation.env, ...env, PORT: String(port), PROCESS_NAME: name },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  return child
}

async function webTimes(port: number, ms: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + ms
  while (performance.now() < end) {
    const began = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
    await response.text()
    times.push(performance.now() - began)
    await pause(50)
  }
  return times
}

function percentiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p99: at(0.99) }
}
