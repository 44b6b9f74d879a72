import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Deletes the response excerpts of the deliveries of these events, because a receiver may send back personal data that
 * it got.
 */
export async function eraseExcerpts(tx: StoreTx, eventIds: readonly string[]): Promise<void> {
  await tx.knex.raw(
    `update webhook_attempts a set response_excerpt = null
     from webhook_deliveries d
     where a.store_id = ? and d.store_id = a.store_id and d.id = a.delivery_id and d.event_id = any(?)`,
    [tx.storeId, [...eventIds]],
  )
}
