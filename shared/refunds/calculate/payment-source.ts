import type { Payment } from '#shared/payments/payment.ts'
import type { Surplus } from '#shared/payments/surplus.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { RefundSource } from './refund-source.ts'
import { availableMinor, type RefundableOrder } from './refundable-order.ts'

/** An order's payments and the refunds of them. */
export interface PaidOrder {
  refundable: RefundableOrder
  /** The captured payments of the gateway. */
  payments: readonly Payment[]
  surpluses: readonly Surplus[]
  succeeded: readonly Refund[]
  /** The unrefunded amount that a voucher paid. */
  voucherMinor: bigint
}

/** Calculates the sources for a refund that goes back as it was paid. */
export function paymentSource({
  refundable,
  payments,
  surpluses,
  succeeded,
  voucherMinor,
}: PaidOrder): RefundSource {
  const refunds = [...succeeded, ...refundable.inProgress]
  const unrefunded = payments.map((payment) => ({
    payment,
    unrefundedMinor: unrefundedOf(payment, { surpluses, refunds }),
  }))
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
    maxMinor: smaller(gatewayMinor + offlineMinor + voucherMinor, allRefundableMinor),
    steppedMinor: gatewayMinor,
    roundingMinor: sum(succeeded.map((refund) => refund.roundingMinor)),
  }
}

/** Returns the part of a payment that the order needed, less the order's refunds of this payment. */
const unrefundedOf = (
  { id, capturedMinor }: Payment,
  { surpluses, refunds }: { surpluses: readonly Surplus[]; refunds: readonly Refund[] },
): bigint => {
  const isOwn = ({ paymentId }: { paymentId: string | null }) => paymentId === id
  const surplusMinor = sum(surpluses.filter(isOwn).map(({ amountMinor }) => amountMinor))
  const refundedMinor = sum(
    refunds.filter(isOwn).map((refund) => refund.gatewayAmountMinor - refund.surplusMinor),
  )
  return larger(0n, (capturedMinor ?? 0n) - surplusMinor - refundedMinor)
}
