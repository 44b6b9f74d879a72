import assert from 'node:assert/strict'
import { shiftDate } from '#test/sandbox/clock/shifted-date.ts'
import type { SandboxAccess } from './access.ts'
import type { Answer, Client } from './client.ts'

/** A busy machine takes minutes for what a quiet one does in seconds. */
const SETTLE_MS = 300_000

/** Gives this process the sandbox's time, by which the signatures of webhooks are verified. */
export async function followClock(web: Client, access: SandboxAccess): Promise<void> {
  const { body } = await web.quietly(lineOf('GET', access), { at: access.clock_url })
  shiftDate(body.offset_ms)
}

/** Moves the sandbox's time by an ISO 8601 duration, and this process's; returns when what became due has run. */
export async function advanceClock(web: Client, access: SandboxAccess, advance: string): Promise<Answer> {
  const body = { advance, timeout_ms: SETTLE_MS }
  const moved = await web.call(lineOf('POST', access), { at: access.clock_url, body })
  assert.deepEqual(
    { status: moved.status, settled: moved.body.settled },
    { status: 200, settled: true },
    JSON.stringify(moved.body),
  )
  shiftDate(moved.body.offset_ms)
  return moved
}

const lineOf = (method: string, { clock_url }: SandboxAccess) => `${method} ${new URL(clock_url).pathname}`
