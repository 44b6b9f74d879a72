import type { LockedOrder } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { findOwedSurplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { withdrawFromBoughtVouchers } from '#shared/refunds/booking/withdraw-from-bought-vouchers.ts'
import { paysOrder } from '#shared/refunds/pays-order.ts'
import { Refund } from '#shared/refunds/refund.ts'

type PaymentRefund = Pick<Refund, 'amountMinor' | 'currency' | 'reason'> &
  (
    | { origin: 'gateway'; gatewayReference: string; roundedUpPpm: number }
    | { origin: 'dispute'; disputeId: string }
  )

/**
 * Inserts a pending refund that the gateway or a bank made, not this store. It first returns the surplus of the
 * payment. The rest refunds the order if `paysOrder` allows it.
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
  // Withdraw now, so that nobody spends the vouchers before the refund succeeds. `bookRefund` withdraws the difference.
  if (await paysOrder(tx, order, refund)) await withdrawFromBoughtVouchers(tx, order, refund)
  return refund
}
