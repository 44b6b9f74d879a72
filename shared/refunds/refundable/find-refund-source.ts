import { Payment } from '#shared/payments/payment.ts'
import { listSurpluses, type Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import type { RefundMeans, RefundSource } from '#shared/refunds/calculate/refund-source.ts'
import { availableMinor, type RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { unrefundedVoucherMinor } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import type { LockedRefundableOrder } from './lock-refundable-order.ts'

/** Finds the sources for a refund of an order. Money that the gateway is already paying back is no source. */
export async function findRefundSource(
  tx: StoreTx,
  refundable: LockedRefundableOrder,
  means: RefundMeans,
): Promise<RefundSource> {
  const paid = await findPaymentSource(tx, refundable)
  if (means === 'gateway') return paid
  // A credit can refund any payment, also by a voucher. Staff do not pay out money that a voucher paid.
  const voucherMinor = means === 'credit' ? 0n : paid.voucherMinor
  const refundableMinor = larger(0n, availableMinor(refundable))
  const offlineMinor = larger(0n, refundableMinor - voucherMinor)
  return { ...paid, payment: null, gatewayMinor: 0n, offlineMinor, voucherMinor, refundableMinor }
}

async function findPaymentSource(tx: StoreTx, refundable: RefundableOrder): Promise<RefundSource> {
  const { order, inProgress } = refundable
  const payments = await Payment.in(tx)
    .where({ order_id: order.id, status: 'captured' })
    .whereNotNull('gateway_reference')
  const surpluses = await listSurpluses(tx, order.id)
  const succeeded = await Refund.in(tx).where({ order_id: order.id, status: 'succeeded' })
  const refunds = [...succeeded, ...inProgress]
  const unrefunded = payments.map((payment) => ({
    payment,
    unrefundedMinor: unrefundedOf(payment, { surpluses, refunds }),
  }))
  const voucherMinor = await unrefundedVoucherMinor(tx, order)
  const knownMinor = sum(unrefunded.map(({ unrefundedMinor }) => unrefundedMinor)) + voucherMinor
  // Refunds by other means reduce the refundable amount, but not that of a payment or the voucher.
  const allRefundableMinor = larger(0n, availableMinor(refundable))
  const offlineMinor = larger(0n, allRefundableMinor - knownMinor)
  // Money that went back by other means came from the payments, never from the voucher. A credit can be of either.
  const creditMinor = sum(succeeded.map((refund) => refund.creditMinor))
  const moneyMinor = larger(0n, allRefundableMinor + creditMinor - voucherMinor)
  const [largest] = unrefunded
    .filter(({ unrefundedMinor }) => unrefundedMinor > 0n)
    .sort((a, b) => (a.unrefundedMinor < b.unrefundedMinor ? 1 : -1))
  const gatewayMinor = smaller(largest?.unrefundedMinor ?? 0n, moneyMinor)
  return {
    payment: largest?.payment ?? null,
    gatewayMinor,
    offlineMinor,
    voucherMinor,
    refundableMinor: smaller(gatewayMinor + offlineMinor + voucherMinor, allRefundableMinor),
    steppedMinor: gatewayMinor,
    roundingMinor: sum(succeeded.map((refund) => refund.roundingMinor)),
  }
}

/** Returns the part of a payment that the order needed, less the order's refunds of this payment. */
const unrefundedOf = (
  { id, capturedMinor }: Payment,
  { surpluses, refunds }: { surpluses: Surplus[]; refunds: Refund[] },
): bigint => {
  const isOwn = ({ paymentId }: { paymentId: string | null }) => paymentId === id
  const surplusMinor = sum(surpluses.filter(isOwn).map(({ amountMinor }) => amountMinor))
  const refundedMinor = sum(
    refunds.filter(isOwn).map((refund) => refund.gatewayAmountMinor - refund.surplusMinor),
  )
  return larger(0n, (capturedMinor ?? 0n) - surplusMinor - refundedMinor)
}
