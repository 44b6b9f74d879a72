import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { config } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { log } from '#shared/platform/log.ts'
import { breakConnections } from './db.ts'

/*
 * A PostgreSQL that is frozen or cut off by the network ends no statement, not even after its time-out. A probe on a
 * separate connection tells this from a slow statement, so that no request waits for the operating system's time-outs.
 */

const PROBE_EVERY_MS = 500
const RESPONSE_MS = 1_500
// After the time-out, this much time is left to read a response that arrived while this process was busy.
const GRACE_MS = 500
const CONNECT_MS = RESPONSE_MS + GRACE_MS

let isUp = true
let probing: AbortController | undefined
const waiting = new Set<(reason: Error) => void>()

/** Probes PostgreSQL on a separate connection until `stopDatabaseProbe`. */
export function startDatabaseProbe(): void {
  if (probing) return
  probing = new AbortController()
  void probe(probing.signal)
}

/** Whether PostgreSQL responds. It is true if nothing probes it. */
export const isDatabaseUp = (): boolean => isUp

/** Ends the probes. */
export function stopDatabaseProbe(): void {
  probing?.abort()
  probing = undefined
  isUp = true
}

/**
 * Runs `work`. Throws `server.unavailable` and closes the connections as soon as PostgreSQL does not respond, before or
 * during `work`.
 */
export function failFastWhenDown<T>(work: () => Promise<T>): Promise<T> {
  if (!isUp) return Promise.reject(unavailable())
  return new Promise((resolve, reject) => {
    waiting.add(reject)
    Promise.try(work)
      .finally(() => waiting.delete(reject))
      .then(resolve, reject)
  })
}

const unavailable = () => CommonErrors.unavailable({ retryAfter: 2 })

async function probe(signal: AbortSignal): Promise<void> {
  let client: pg.Client | undefined
  while (!signal.aborted) {
    const begun = performance.now()
    try {
      client ??= await connect()
      const hasResponded = await respondsInTime(client)
      if (!hasResponded) client = drop(client)
      note(hasResponded)
    } catch (error) {
      client = drop(client)
      // Any other error is a response of PostgreSQL. Requests get the same error.
      if (!isTimeout(error)) note(true)
      // If this process was blocked, the time-out ended the connection before a response was read. Probe again.
      else if (performance.now() - begun < CONNECT_MS + GRACE_MS) note(false)
    }
    await pause(PROBE_EVERY_MS, undefined, { ref: false, signal }).catch(() => {})
  }
  drop(client)
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: config().DATABASE_URL,
    application_name: 'commerce-probe',
    connectionTimeoutMillis: CONNECT_MS,
  })
  // Ignore the error: the next probe finds out.
  client.on('error', () => {})
  await client.connect()
  return client
}

const isTimeout = (error: unknown): boolean => (error as Error).message === 'timeout expired'

async function respondsInTime(client: pg.Client): Promise<boolean> {
  const response = client.query('select 1').then(() => true)
  const late = (ms: number) => pause(ms, false, { ref: false })
  return (await Promise.race([response, late(RESPONSE_MS)])) || Promise.race([response, late(GRACE_MS)])
}

/** Ends a connection without waiting for it. */
function drop(client: pg.Client | undefined): undefined {
  client?.end().catch(() => {})
}

function note(hasResponded: boolean): void {
  if (hasResponded === isUp) return
  isUp = hasResponded
  if (hasResponded) log.warn('the database responds again')
  else failRequests()
}

function failRequests(): void {
  log.error('the database does not respond')
  for (const reject of waiting) reject(unavailable())
  breakConnections()
}
