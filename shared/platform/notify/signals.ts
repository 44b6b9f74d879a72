import { EventEmitter, once } from 'node:events'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { listen, notifications } from './listen.ts'

const settled = new EventEmitter().setMaxListeners(0)

notifications.on('settled', (id) => settled.emit(id))
// Waiters may have missed their notification, so all of them read again.
notifications.on('reconnected', () => {
  // Skip 'error', for which `once` listens too: emitting it would throw.
  for (const id of settled.eventNames()) if (id !== 'error') settled.emit(id)
})

/** Notifies all processes, when the transaction commits, that the row `id` is settled. */
export async function notifySettled(tx: StoreTx, id: string): Promise<void> {
  await tx.knex.raw("select pg_notify('settled', ?)", [id])
}

/**
 * Reads the row `id` at each notification until it is settled or `timeoutMs` have passed, and returns it, settled or
 * not. A lost notification only costs time, because the last step is always a read. Call it outside a transaction.
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
    const settledAlready = new AbortController()
    // Listen before the read, so that no notification between the two is missed.
    const notified = once(settled, id, {
      signal: AbortSignal.any([timeout, settledAlready.signal]),
    }).catch(() => null)
    const row = await read()
    if (isSettled(row)) {
      settledAlready.abort()
      return row
    }
    await notified
  }
  return read()
}
