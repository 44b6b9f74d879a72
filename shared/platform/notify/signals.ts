import { EventEmitter, once } from 'node:events'
import type { StoreTx } from '../db/store-scope.ts'
import { listen, notifications } from './listen.ts'

const settled = new EventEmitter().setMaxListeners(0)

notifications.on('settled', (id) => settled.emit(id))
// Whoever waits now may have missed it: let all of them check.
notifications.on('again', () => {
  for (const id of settled.eventNames()) settled.emit(id)
})

/** Tells every waiting process, when the transaction commits, that the row `id` is settled. */
export async function notifySettled(tx: StoreTx, id: string): Promise<void> {
  await tx.knex.raw("select pg_notify('settled', ?)", [id])
}

/**
 * Reads the row `id`, again whenever it is announced, until it is settled or `timeoutMs` have passed: then it is
 * answered as it stands. A lost announcement costs time, never truth: the last word is always a read. Call it outside
 * a transaction.
 */
export async function waitUntilSettled<T>(
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
    const announced = once(settled, id, {
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
