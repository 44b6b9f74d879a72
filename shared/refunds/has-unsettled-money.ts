import { REFUND_OWED } from '#shared/orders/list-orders.ts'
import { Order } from '#shared/orders/order.ts'
import { Payment, paymentsOpenAtGateway } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_REFUND_STATUSES } from './states.ts'

/**
 * Whether money may still have to be returned to buyers. The rows of the store must stay until then. Such money is in a
 * payment that the gateway may still capture, a mismatched payment, an owed surplus, a refund in progress, or an ended
 * order with money to refund.
 */
export async function hasUnsettledMoney(tx: StoreTx): Promise<boolean> {
  const found =
    (await paymentsOpenAtGateway(tx).select('id').first()) ??
    (await undecidedPayments(tx).first()) ??
    (await owedSurpluses(tx).first()) ??
    (await refundsInProgress(tx).first()) ??
    (await Order.in(tx).whereRaw(REFUND_OWED).select('id').first())
  return found !== undefined
}

/**
 * Returns a condition for orders with money that must be returned to the buyer, or may have to be: staff decide about a
 * mismatched payment, and a refund in progress can fail.
 */
export const owesBuyer =
  (tx: StoreTx) =>
  (orders: QueryBuilderType<Order>): unknown =>
    orders
      .whereRaw(REFUND_OWED)
      .orWhereIn('id', undecidedPayments(tx))
      .orWhereIn('id', owedSurpluses(tx))
      .orWhereIn('id', refundsInProgress(tx))

const undecidedPayments = (tx: StoreTx) => Payment.in(tx).where('status', 'mismatched').select('order_id')

const owedSurpluses = (tx: StoreTx) => Surplus.in(tx).where('status', 'owed').select('order_id')

const refundsInProgress = (tx: StoreTx) =>
  Refund.in(tx)
    .whereIn('status', [...IN_PROGRESS_REFUND_STATUSES])
    .select('order_id')
