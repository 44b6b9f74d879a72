import { REFUND_OWED } from '#shared/orders/list-orders.ts'
import { Order } from '#shared/orders/order.ts'
import { Payment, paymentsOpenAtGateway } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_STATUSES } from './states.ts'

/**
 * Whether money of the store's buyers may still have to be returned. Its rows must stay until then. Such money is in a
 * payment that the gateway may still capture, a mismatched payment, an owed surplus, a refund in progress, or an ended
 * order with money to refund.
 */
export async function hasUnsettledMoney(tx: StoreTx): Promise<boolean> {
  const found =
    (await paymentsOpenAtGateway(tx).select('id').first()) ??
    (await Payment.in(tx).where('status', 'mismatched').select('id').first()) ??
    (await Surplus.in(tx).where('status', 'owed').select('id').first()) ??
    (await Refund.in(tx)
      .whereIn('status', [...IN_PROGRESS_STATUSES])
      .select('id')
      .first()) ??
    (await Order.in(tx).whereRaw(REFUND_OWED).select('id').first())
  return found !== undefined
}
