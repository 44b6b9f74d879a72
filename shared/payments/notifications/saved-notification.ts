import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** A notification of a gateway that a store has saved. */
export interface SavedNotification {
  type: string
  payload: unknown
}

/** Returns an unhandled notification of the store. */
export const findUnhandledNotification = (
  tx: StoreTx,
  provider: string,
  id: string,
): PromiseLike<SavedNotification | undefined> =>
  tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .first('type', 'payload')

/**
 * Marks a notification as handled and deletes its payload, because a gateway names buyers in it, even after they were
 * anonymized. Returns false if it was handled before.
 */
export async function claimNotification(tx: StoreTx, provider: string, id: string): Promise<boolean> {
  const claimed = await tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .update({ handled_at: now(), payload: '{}' })
  return claimed > 0
}
