import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { OrderMail } from '#shared/stores/settings/order-mails.ts'

/** Returns the kinds of mails that were queued for an order, oldest first. */
export const listOrderMails = (
  tx: StoreTx,
  orderId: string,
): PromiseLike<{ kind: OrderMail; queuedAt: Date }[]> =>
  tx
    .knex('order_mails')
    .where({ store_id: tx.storeId, order_id: orderId })
    .orderBy('queued_at')
    .select('kind', 'queued_at as queuedAt')
