import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Deletes the kept excerpts of the responses to deliveries of these events: a receiver may send back what it got. */
export async function eraseExcerpts(tx: StoreTx, eventIds: readonly string[]): Promise<void> {
  await tx.knex.raw(
    `update webhook_attempts a set response_excerpt = null
     from webhook_deliveries d
     where a.store_id = ? and d.store_id = a.store_id and d.id = a.delivery_id and d.event_id = any(?)`,
    [tx.storeId, [...eventIds]],
  )
}
