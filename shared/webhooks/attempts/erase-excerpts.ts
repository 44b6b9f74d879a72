import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'

// An event can have hundreds of attempts. One statement for all events of a person could exceed its time limit.
const BATCH_SIZE = 1_000

/**
 * Deletes the response excerpts of the deliveries of these events, because a receiver may send back personal data that
 * it got.
 */
export async function eraseExcerpts(tx: StoreTx, eventIds: readonly string[]): Promise<void> {
  for (const batch of slicesOf(eventIds, BATCH_SIZE))
    await tx.knex.raw(
      `update webhook_attempts a set response_excerpt = null
       from webhook_deliveries d
       where a.store_id = ? and d.store_id = a.store_id and d.id = a.delivery_id and d.event_id = any(?)`,
      [tx.storeId, batch],
    )
}
