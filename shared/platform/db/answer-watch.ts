import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { config } from '../config/config.ts'
import { CommonErrors } from '../errors.ts'
import { log } from '../log.ts'
import { breakConnections } from './db.ts'

/*
 * A PostgreSQL that does not respond at all (frozen, or cut off by the network) ends no statement, not even by its
 * time-out. One probe tells this from a slow statement, so that no request waits for the operating system's time-outs.
 */

const PROBE_EVERY_MS = 500
const ANSWER_MS = 1_500
// After the time-out, an answer that arrived while this process was busy is read before the probe counts as lost.
const GRACE_MS = 500

let answering = true
let watching: AbortController | undefined
const waiting = new Set<(reason: Error) => void>()

/** Starts to probe PostgreSQL on a connection of its own, until `stopWatching`. */
export function watchAnswers(): void {
  if (watching) return
  watching = new AbortController()
  void watch(watching.signal)
}

/** Whether PostgreSQL responds; true while nothing probes it. */
export const isAnswering = (): boolean => answering

/** Ends the probes. */
export function stopWatching(): void {
  watching?.abort()
  watching = undefined
  answering = true
}

/**
 * Runs `work`, but only as long as PostgreSQL responds: throws `server.unavailable` when it does not, also while `work` runs,
 * whose connection is cut then.
 */
export async function whileAnswering<T>(work: () => Promise<T>): Promise<T> {
  if (!answering) throw unavailable()
  const cut = Promise.withResolvers<never>()
  waiting.add(cut.reject)
  try {
    return await Promise.race([work(), cut.promise])
  } finally {
    waiting.delete(cut.reject)
  }
}

const unavailable = () => CommonErrors.unavailable({ retryAfter: 2 })

async function watch(signal: AbortSignal): Promise<void> {
  let client: pg.Client | undefined
  while (!signal.aborted) {
    try {
      client ??= await connect()
      const isAnswered = await answersInTime(client)
      if (!isAnswered) client = drop(client)
      note(isAnswered)
    } catch (error) {
      client = drop(client)
      // Another error is an answer: requests get it, too.
      note(!isTimeout(error))
    }
    await pause(PROBE_EVERY_MS, undefined, { ref: false, signal }).catch(() => {})
  }
  drop(client)
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: config().DATABASE_URL,
    application_name: 'commerce-probe',
    connectionTimeoutMillis: ANSWER_MS + GRACE_MS,
  })
  // The next probe finds out.
  client.on('error', () => {})
  await client.connect()
  return client
}

const isTimeout = (error: unknown): boolean => (error as Error).message === 'timeout expired'

async function answersInTime(client: pg.Client): Promise<boolean> {
  const answer = client.query('select 1').then(() => true)
  const late = (ms: number) => pause(ms, false, { ref: false })
  return (await Promise.race([answer, late(ANSWER_MS)])) || Promise.race([answer, late(GRACE_MS)])
}

/** Ends a connection without waiting for it. */
function drop(client: pg.Client | undefined): undefined {
  client?.end().catch(() => {})
}

function note(isAnswered: boolean): void {
  if (isAnswered === answering) return
  answering = isAnswered
  if (isAnswered) log.warn('the database responds again')
  else failRequests()
}

function failRequests(): void {
  log.error('the database does not respond')
  for (const reject of waiting) reject(unavailable())
  breakConnections()
}
