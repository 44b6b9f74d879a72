import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'
import {
  askAtRandom,
  countStatuses,
  type Outcome,
  type Resend,
} from '#test/support/requests/ask-at-random.ts'
import type { Drawn } from '#test/support/requests/draw-request.ts'
import { readFigures } from './process-figures.ts'
import { type Service, startService } from './service.ts'

// Random requests to a web process of its own, at its usual time-outs: none fails with 5xx. The requests that block its
// event loop for more than 50 ms are reported. `npm run fuzz` sends 100,000.

const REQUESTS = Number(process.env.FUZZ_REQUESTS || 400)
const SEED = Number(process.env.FUZZ_SEED || 20_261_123)
const REQUESTS_PER_STORE = 800

const USUAL_TIMEOUTS = {
  STATEMENT_TIMEOUT_MS: '10000',
  READ_TIMEOUT_MS: '2000',
  DATABASE_POOL_WAIT_MS: '5000',
}

let service: Service
let metricsUrl: string
const outcomes: Outcome[] = []
const longest = { delayMs: 0, blockedMs: 0 }

before(async () => {
  const port = await freePort(0)
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  const monitored = { NODE_OPTIONS: `--import ${import.meta.resolve('./loop-monitor.ts')}` }
  const env = { ...process.env, ...USUAL_TIMEOUTS, ...monitored, METRICS_PORT: String(port) }
  service = await startService(env, { webs: 1, workers: 0 })
})

/**
 * Since the last call, in milliseconds: the longest processor time for which the process was blocked, and its longest
 * pause for garbage collection, which is no request's own.
 */
async function readBlocked(): Promise<{ ms: number; gcMs: number }> {
  const { loopDelayMs, loopBlockedMs, gcPauseMs } = await readFigures(metricsUrl)
  longest.delayMs = Math.max(longest.delayMs, Math.round(loopDelayMs))
  return { ms: Math.round(loopBlockedMs), gcMs: Math.round(gcPauseMs) }
}

/** The requests that block the event loop when they are sent again, one at a time. */
async function findBlocking(drawn: Drawn[], resend: Resend): Promise<string[]> {
  const found: string[] = []
  for (const one of drawn) {
    await resend(one)
    const { ms, gcMs } = await readBlocked()
    const { operation, path, body = '' } = one
    if (ms > MAX_BLOCKED_MS)
      found.push(
        `${ms} ms (garbage: ${gcMs} ms): ${operation.method.toUpperCase()} ${path} ${body.slice(0, 500)}`,
      )
  }
  return found
}

for (let first = 0; first < REQUESTS; first += REQUESTS_PER_STORE)
  test(`requests from ${first + 1} (seed ${SEED + first}) to a real process cause no 5xx`, async (t) => {
    await readBlocked()
    const asked = await askAtRandom({
      url: service.url,
      requests: Math.min(REQUESTS_PER_STORE, REQUESTS - first),
      seed: SEED + first,
      async onRound(drawn, resend) {
        const { ms, gcMs } = await readBlocked()
        longest.blockedMs = Math.max(longest.blockedMs, ms)
        if (ms <= MAX_BLOCKED_MS) return
        const again = await findBlocking(drawn, resend)
        t.diagnostic(
          `the loop was blocked for ${ms} ms (garbage: ${gcMs} ms); again: ${again.join('\n') || 'by none'}`,
        )
      },
    })

    outcomes.push(...asked)
    const faults = asked.flatMap(({ fault = [] }) => fault)
    assert.equal(faults.length, 0, faults.join('\n'))
    assert.ok(service.isAlive)
  })

test('control: the random requests did something, and the process was measured', async (t) => {
  t.diagnostic(
    `${outcomes.length} requests, ${JSON.stringify({ longest, statuses: countStatuses(outcomes) })}`,
  )
  await service[Symbol.asyncDispose]()

  const done = outcomes.filter(({ status }) => status < 300)
  assert.ok(done.length > outcomes.length / 10)
  assert.ok(longest.blockedMs > 0)
})
