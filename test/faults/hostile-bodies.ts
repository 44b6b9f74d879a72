import { setTimeout as pause } from 'node:timers/promises'
import { hostileBodies } from '#test/support/hostile-bodies.ts'

const CLIENTS = 16
const SETTLE_MS = 1_000
const MIB = 1024 * 1024

export interface HostileReport {
  /** How many answers had each status. */
  statuses: Record<string, number>
  /** The longest time in which the process handled nothing else, in milliseconds. */
  loopDelayMs: number
  growthMib: number
}

interface Target {
  url: string
  /** Where the process serves its metrics. */
  metricsUrl: string
  /** A token that may create products. */
  token: string
}

/** Sends so many bodies that are expensive to parse and check, and reads what they cost the process. */
export async function sendHostileBodies(target: Target, count: number): Promise<HostileReport> {
  const kinds = [
    ...hostileBodies(16_000, 'email').map((body) => ({ path: '/super-admin/auth/login', body, token: '' })),
    ...hostileBodies(1_000_000, 'variants').map((body) => ({
      path: '/admin/products',
      body,
      token: target.token,
    })),
  ]
  const statuses: Record<string, number> = {}
  let sent = 0
  const send = async (last: number) => {
    while (sent < last) {
      const { path, body, token } = kinds[sent++ % kinds.length] ?? { path: '', body: '', token: '' }
      const { status } = await post(target.url + path, body, token)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const sendUpTo = (last: number) => Promise.all(Array.from({ length: CLIENTS }, () => send(last)))
  // As many before, so that what the process needs at a time is no growth, only what it keeps.
  await sendUpTo(count)
  const before = await readFigures(target.metricsUrl)
  sent = 0
  await sendUpTo(count)
  await pause(SETTLE_MS)
  const after = await readFigures(target.metricsUrl)
  return {
    statuses,
    loopDelayMs: Math.round(after.loopDelayMs),
    growthMib: Math.round((after.bytes - before.bytes) / MIB),
  }
}

async function post(url: string, body: string, token: string): Promise<{ status: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body,
  })
  await response.text()
  return response
}

/** Each read of the metrics begins the next measurement of the event loop. */
async function readFigures(url: string): Promise<{ bytes: number; loopDelayMs: number }> {
  const text = await (await fetch(url)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    bytes: figure('process_resident_memory_bytes'),
    loopDelayMs: figure('nodejs_eventloop_lag_max_seconds') * 1_000,
  }
}
