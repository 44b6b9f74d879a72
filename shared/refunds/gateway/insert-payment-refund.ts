import type { LockedOrder } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { findOwedSurplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawVouchers } from '../booking/withdraw-vouchers.ts'
import { paysOrder } from '../pays-order.ts'
import { Refund } from '../refund.ts'

type PaymentRefund = Pick<Refund, 'amountMinor' | 'currency' | 'reason'> &
  (
    | { origin: 'gateway'; gatewayReference: string; roundedUpPpm: number }
    | { origin: 'dispute'; disputeId: string }
  )

/**
 * Inserts a pending refund that the gateway or a bank made of a payment, without this store. What the surplus of that
 * payment does not need refunds the order if it can (`paysOrder`).
 */
export async function insertPaymentRefund(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  columns: PaymentRefund,
): Promise<Refund> {
  const surplus = await findOwedSurplus(tx, payment.id)
  const refund = await Refund.in(tx).insert({
    ...columns,
    orderId: order.id,
    paymentId: payment.id,
    surplusId: surplus?.id ?? null,
    surplusMinor: smaller(columns.amountMinor, surplus?.owedMinor ?? 0n),
    status: 'pending',
    gatewayAmountMinor: columns.amountMinor,
    requestedBy: 'gateway',
    createdAt: now(),
  })
  if (await paysOrder(tx, order, refund)) await withdrawVouchers(tx, order, refund, [])
  return refund
}
