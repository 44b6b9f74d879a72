import { setTimeout as pause } from 'node:timers/promises'
import { hostileBodies } from '#test/support/requests/hostile-bodies.ts'
import { readFigures } from './process-figures.ts'

const CLIENTS = 16
const SETTLE_MS = 1_000
const MIB = 1024 * 1024

export interface HostileReport {
  /** How many answers had each status. */
  statuses: Record<string, number>
  /** The longest time in which the process handled nothing else, in milliseconds. */
  loopDelayMs: number
  /** The kind of body with the longest such time of its own. */
  slowest: { kind: string; loopDelayMs: number }
  growthMib: number
}

interface Target {
  url: string
  /** Where the process serves its metrics. */
  metricsUrl: string
  /** A token that may create products. */
  token: string
}

interface HostileRequest {
  kind: string
  path: string
  body: string
  token: string
}

const requestsOf = ({ token }: Target): HostileRequest[] => [
  ...Object.entries(hostileBodies(16_000, 'email')).map(([kind, body]) => ({
    kind: `16 KB of ${kind}`,
    body,
    path: '/super-admin/auth/login',
    token: '',
  })),
  ...Object.entries(hostileBodies(1_000_000, 'variants')).map(([kind, body]) => ({
    kind: `1 MB of ${kind}`,
    body,
    path: '/admin/products',
    token,
  })),
]

/**
 * Sends `count` bodies that are expensive to parse and check, kind after kind and then mixed, and reads what they cost
 * the process.
 */
export async function sendHostileBodies(target: Target, count: number): Promise<HostileReport> {
  const requests = requestsOf(target)
  const statuses: Record<string, number> = {}
  const send = (mixed: HostileRequest[]) => sendAll(target, mixed, statuses)
  const repeated = (list: HostileRequest[], times: number) =>
    Array.from({ length: times }, (_, n) => list[n % list.length] as HostileRequest)

  // As many before, so that what the process needs at a time is no growth, only what it keeps.
  let slowest = { kind: '', loopDelayMs: 0 }
  for (const request of requests) {
    await readFigures(target.metricsUrl)
    await send(repeated([request], Math.ceil(count / requests.length)))
    const { loopDelayMs } = await readFigures(target.metricsUrl)
    if (loopDelayMs > slowest.loopDelayMs)
      slowest = { kind: request.kind, loopDelayMs: Math.round(loopDelayMs) }
  }
  const before = await readFigures(target.metricsUrl)
  await send(repeated(requests, count))
  await pause(SETTLE_MS)
  const after = await readFigures(target.metricsUrl)
  return {
    statuses,
    loopDelayMs: Math.round(after.loopDelayMs),
    slowest,
    growthMib: Math.round((after.bytes - before.bytes) / MIB),
  }
}

async function sendAll(
  { url }: Target,
  requests: HostileRequest[],
  statuses: Record<string, number>,
): Promise<void> {
  const left = [...requests]
  const client = async () => {
    for (let request = left.shift(); request; request = left.shift()) {
      const { status } = await post(url + request.path, request)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

async function post(url: string, { body, token }: HostileRequest): Promise<{ status: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body,
  })
  await response.text()
  return response
}
