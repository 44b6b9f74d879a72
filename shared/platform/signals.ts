import { EventEmitter, once } from 'node:events'
import pg from 'pg'
import { directUrl } from './config.ts'
import { log } from './log.ts'
import type { StoreTx } from './store-scope.ts'

const CHANNEL = 'settled'
const RECONNECT_MS = 500
const heard = new EventEmitter().setMaxListeners(0)

/** Tells every waiting process, when the transaction commits, that the row `id` is settled. */
export async function announce(tx: StoreTx, id: string): Promise<void> {
  await tx.knex.raw('select pg_notify(?, ?)', [CHANNEL, id])
}

/**
 * Reads the row `id`, again whenever it is announced, until it is settled or `timeoutMs` have passed: then it is
 * answered as it stands. A lost announcement costs time, never truth: the last word is always a read. Call it outside
 * a transaction.
 */
export async function whenSettled<T>(
  id: string,
  timeoutMs: number,
  read: () => Promise<T>,
  isSettled: (row: T) => boolean,
): Promise<T> {
  await listen()
  const timeout = AbortSignal.timeout(timeoutMs)
  while (!timeout.aborted) {
    const answered = new AbortController()
    // Listen before looking: an announcement between the two must not be missed.
    const announced = once(heard, id, {
      signal: AbortSignal.any([timeout, answered.signal]),
    }).catch(() => null)
    const row = await read()
    if (isSettled(row)) {
      answered.abort()
      return row
    }
    await announced
  }
  return read()
}

let listener: Promise<pg.Client> | undefined
let closing = false

function listen(): Promise<pg.Client> {
  listener ??= connect().catch((error) => {
    listener = undefined
    throw error
  })
  return listener
}

async function connect(): Promise<pg.Client> {
  closing = false
  const client = new pg.Client({
    connectionString: directUrl(),
    application_name: 'commerce-signals',
    keepAlive: true,
  })
  client.on('error', (error) => log.warn({ err: error }, 'signal connection failed'))
  client.on('end', () => {
    listener = undefined
    // Whoever waits now must hear again: connect anew, then let all of them check.
    if (!closing) setTimeout(() => listen().then(wakeAll, () => {}), RECONNECT_MS).unref()
  })
  client.on('notification', ({ payload }) => payload && heard.emit(payload))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return client
}

const wakeAll = () => {
  for (const id of heard.eventNames()) heard.emit(id)
}

/** Ends the listening connection, at the end of a process or of a test file. */
export async function closeSignals(): Promise<void> {
  closing = true
  const open = listener
  listener = undefined
  await (await open)?.end()
}
