import type { Order } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from './refund.ts'
import { withdrawVouchers } from './withdraw-vouchers.ts'

type PaymentRefund = Pick<Refund, 'amountMinor' | 'currency' | 'reason'> &
  ({ origin: 'gateway'; gatewayReference: string } | { origin: 'dispute'; disputeId: string })

/**
 * Inserts a pending refund that the gateway or a bank made of a payment, without this store. It returns the surplus of
 * that payment while one is owed; otherwise it refunds the order, which the caller has locked.
 */
export async function insertPaymentRefund(
  tx: StoreTx,
  order: Order,
  payment: Payment,
  columns: PaymentRefund,
): Promise<Refund> {
  const surplus = await Surplus.in(tx).findOne({ payment_id: payment.id, status: 'owed' })
  const refund = await Refund.in(tx).insert({
    ...columns,
    orderId: order.id,
    paymentId: payment.id,
    surplusId: surplus?.id ?? null,
    status: 'pending',
    gatewayAmountMinor: columns.amountMinor,
    requestedBy: 'gateway',
    createdAt: now(),
  })
  if (!surplus) await withdrawVouchers(tx, order, refund, [])
  return refund
}
