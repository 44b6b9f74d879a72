import { REFUND_OWED } from '#shared/orders/list-orders.ts'
import { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_STATUSES } from './states.ts'

/**
 * Whether the store has a payment that the gateway may still capture, a mismatched payment, an owed surplus, a refund
 * in progress, or an ended order with money that is still to be refunded. Its rows must stay while it has: without them
 * nobody would return the money of its buyers.
 */
export async function hasUnsettledMoney(tx: StoreTx): Promise<boolean> {
  const open = await Payment.in(tx)
    .where((sent) => sent.whereNotNull('gateway_reference').orWhereNotNull('sent_at'))
    .whereNull('closed_at_gateway')
    .select('id')
    .first()
  const found =
    open ??
    (await Payment.in(tx).where('status', 'mismatched').select('id').first()) ??
    (await Surplus.in(tx).where('status', 'owed').select('id').first()) ??
    (await Refund.in(tx)
      .whereIn('status', [...IN_PROGRESS_STATUSES])
      .select('id')
      .first()) ??
    (await Order.in(tx).whereRaw(REFUND_OWED).select('id').first())
  return found !== undefined
}
