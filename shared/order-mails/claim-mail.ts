import { normalizeEmail } from '#shared/identity/email.ts'
import type { OrderView } from '#shared/orders/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, now } from '#shared/platform/time/clock.ts'
import type { OrderMail } from '#shared/stores/settings/order-mails.ts'

interface MailClaim {
  eventId: string
  order: Pick<OrderView, 'id' | 'customer_id' | 'email' | 'payment_method' | 'paid_at'>
  kind: OrderMail
}

// Limited, because an order can be shipped in a thousand parcels and refunded in a thousand parts.
const MAX_MAILS_PER_HOUR = 20

/**
 * Records that an event is mailed. Returns false if it was mailed before, or past 20 mails within an hour: about this
 * order, or about unpaid orders by card to the same mailbox or customer.
 */
export const claimMail = async (tx: StoreTx, claim: MailClaim): Promise<boolean> =>
  // A job that runs again must not count its mail again.
  !(await isMailed(tx, claim)) && (await isBelowQuota(tx, claim)) && recordMail(tx, claim)

async function isMailed(tx: StoreTx, { eventId }: MailClaim): Promise<boolean> {
  const found = await tx
    .knex('order_mails')
    .where({ store_id: tx.storeId, event_id: eventId })
    .first('event_id')
  return found !== undefined
}

async function isBelowQuota(tx: StoreTx, { order, eventId }: MailClaim): Promise<boolean> {
  for (const subject of subjectsOf(tx, order)) {
    const { granted } = await consumeQuotaIn(tx, subject, { limit: MAX_MAILS_PER_HOUR, windowMs: HOUR_MS })
    if (granted) continue
    log.warn({ orderId: order.id, eventId }, 'Mail not sent: the buyer got 20 such mails within an hour')
    return false
  }
  return true
}

/** Returns the subjects that a mail counts for. */
function subjectsOf(tx: StoreTx, order: MailClaim['order']): string[] {
  const { id, customer_id, email, payment_method, paid_at } = order
  const ofOrder = `mails of order ${id}`
  // Anyone can enter another person's address in an unpaid order by card, and the checkout counts only orders that are
  // paid later by e-mail address. Customers are counted too, because they need no new guest cart for each order.
  if (payment_method !== 'card' || paid_at !== null) return [ofOrder]
  const unpaidByCard = `mails of unpaid orders by card ${tx.storeId}`
  const ofCustomer = customer_id ? [`${unpaidByCard} of ${customer_id}`] : []
  return [ofOrder, `${unpaidByCard} ${normalizeEmail(email)}`, ...ofCustomer]
}

async function recordMail(tx: StoreTx, { eventId, order, kind }: MailClaim): Promise<boolean> {
  const inserted = await tx
    .knex('order_mails')
    .insert({ store_id: tx.storeId, event_id: eventId, order_id: order.id, kind, queued_at: now() })
    .onConflict()
    .ignore()
    .returning('event_id')
  return inserted.length > 0
}
