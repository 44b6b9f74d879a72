import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import { leftToRefund } from '#shared/vouchers/refund-to-voucher.ts'
import { Refund } from './refund.ts'

/** Where refunded money comes from: through the gateway as far as a payment reaches, then by other means. */
export interface RefundSource {
  /** The captured gateway payment with the most money left; null when none has any. */
  payment: Payment | null
  /** What is left of that payment. */
  gatewayMinor: bigint
  /** What was paid without a gateway, such as by transfer, and is left. */
  offlineMinor: bigint
  /** What a voucher paid, and is left: it goes back on the voucher, after all money (decisions, section 7). */
  voucherMinor: bigint
  /** What can go back in one refund: that, and what was paid without a gateway. */
  refundableMinor: bigint
}

/** Looks at the payments of an order that the caller has locked. */
export async function findSource(tx: StoreTx, order: Order): Promise<RefundSource> {
  const payments = await Payment.in(tx)
    .where({ order_id: order.id, status: 'captured' })
    .whereNotNull('gateway_reference')
  const refunds = await Refund.in(tx).where({ order_id: order.id, status: 'succeeded' })
  const left = payments.map((payment) => ({ payment, leftMinor: leftOf(payment, refunds) }))
  const voucherMinor = await leftToRefund(tx, order)
  const withinReachMinor = sum(left.map(({ leftMinor }) => leftMinor)) + voucherMinor
  // Credit given before leaves less than payments and voucher hold.
  const offlineMinor = larger(0n, order.refundableMinor - withinReachMinor)
  const [most] = left
    .filter(({ leftMinor }) => leftMinor > 0n)
    .sort((a, b) => (a.leftMinor < b.leftMinor ? 1 : -1))
  const gatewayMinor = most?.leftMinor ?? 0n
  const refundableMinor = smaller(gatewayMinor + offlineMinor + voucherMinor, order.refundableMinor)
  return { payment: most?.payment ?? null, gatewayMinor, offlineMinor, voucherMinor, refundableMinor }
}

/** What has not gone back of a payment. */
export const leftOf = (payment: Payment, succeeded: Refund[]): bigint =>
  payment.amountMinor -
  sum(
    succeeded
      .filter(({ paymentId }) => paymentId === payment.id)
      .map(({ gatewayAmountMinor }) => gatewayAmountMinor),
  )

/** Which part of a refund comes from where: gateway money first, then other money, the voucher's balance last. */
export function splitOver(
  { payment, gatewayMinor, offlineMinor }: RefundSource,
  amountMinor: bigint,
): { paymentId: string | null; gatewayAmountMinor: bigint; voucherAmountMinor: bigint } {
  const gatewayAmountMinor = smaller(amountMinor, gatewayMinor)
  const otherMinor = amountMinor - gatewayAmountMinor
  const voucherAmountMinor = otherMinor - smaller(otherMinor, offlineMinor)
  return { paymentId: payment?.id ?? null, gatewayAmountMinor, voucherAmountMinor }
}
