import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, now } from '#shared/platform/time/clock.ts'
import type { OrderMail } from '#shared/stores/settings/order-mails.ts'

interface MailClaim {
  eventId: string
  orderId: string
  kind: OrderMail
}

// Limited, because an order can be shipped in a thousand parcels and refunded in a thousand parts.
const MAX_MAILS_PER_HOUR = 20

/** Records that an event is mailed. Returns false if it was mailed before, or the buyer got 20 mails within an hour. */
export const claimMail = async (tx: StoreTx, claim: MailClaim): Promise<boolean> =>
  (await isBelowQuota(tx, claim)) && recordMail(tx, claim)

async function isBelowQuota(tx: StoreTx, { orderId, eventId }: MailClaim): Promise<boolean> {
  if (!(await consumeQuotaIn(tx, `mails of order ${orderId}`, MAX_MAILS_PER_HOUR, HOUR_MS))) return true
  log.warn({ orderId, eventId }, 'Mail not sent: the buyer got 20 mails about the order within an hour')
  return false
}

async function recordMail(tx: StoreTx, { eventId, orderId, kind }: MailClaim): Promise<boolean> {
  const inserted = await tx
    .knex('order_mails')
    .insert({ store_id: tx.storeId, event_id: eventId, order_id: orderId, kind, queued_at: now() })
    .onConflict()
    .ignore()
    .returning('event_id')
  return inserted.length > 0
}
