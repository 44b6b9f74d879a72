import { cardStepMinor, roundDown } from '#shared/payment-methods/card-rules.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { smaller } from '#shared/platform/money.ts'

/** The payments that a refund is taken from: first the gateway, then other means, then the voucher. */
export interface RefundSource {
  /** The captured gateway payment with the largest unrefunded amount; null if all of them are refunded. */
  payment: Payment | null
  /** The unrefunded amount of that payment, less what the buyer got back of it by other means. */
  gatewayMinor: bigint
  /** The unrefunded amount that was paid without a gateway, e.g. by transfer. */
  offlineMinor: bigint
  /** The unrefunded amount that a voucher paid. It goes back to the voucher last. */
  voucherMinor: bigint
  /** The maximum of one refund: the sum of these three amounts, limited to what other refunds leave of the order. */
  maxMinor: bigint
  /** Refunds below this amount are multiples of the card's step, by any means. Then the gateway can refund the rest. */
  steppedMinor: bigint
  /** The sum of the roundings of the order's refunds. */
  roundingMinor: bigint
}

/**
 * `gateway`: the money goes back as it was paid. `outside_gateway`: staff paid the buyer. `credit`: the caller issues a
 * voucher.
 */
export type RefundMeans = 'gateway' | 'outside_gateway' | 'credit'

/**
 * Splits the amount of a refund: the gateway first, in multiples of the card's step, then other means, the voucher
 * last.
 */
export function splitBySource(
  { payment, gatewayMinor, offlineMinor }: RefundSource,
  amountMinor: bigint,
  currency: string,
): { paymentId: string | null; gatewayAmountMinor: bigint; voucherAmountMinor: bigint } {
  const gatewayAmountMinor =
    amountMinor < gatewayMinor ? roundDown(amountMinor, cardStepMinor(currency)) : gatewayMinor
  const otherMinor = amountMinor - gatewayAmountMinor
  const voucherAmountMinor = otherMinor - smaller(otherMinor, offlineMinor)
  const paymentId = payment && gatewayAmountMinor > 0n ? payment.id : null
  return { paymentId, gatewayAmountMinor, voucherAmountMinor }
}
