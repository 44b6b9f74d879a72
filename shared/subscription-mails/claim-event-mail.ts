import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { SubscriptionMail } from '#shared/stores/settings/subscription-mails.ts'

interface EventMail {
  eventId: string
  subscriptionId: string
  kind: SubscriptionMail
}

/** Records that an event is mailed. Returns false if it was mailed before. */
export async function claimEventMail(
  tx: StoreTx,
  { eventId, subscriptionId, kind }: EventMail,
): Promise<boolean> {
  const inserted = await tx
    .knex('subscription_mails')
    .insert({
      store_id: tx.storeId,
      event_id: eventId,
      subscription_id: subscriptionId,
      kind,
      queued_at: now(),
    })
    .onConflict()
    .ignore()
    .returning('event_id')
  return inserted.length > 0
}
