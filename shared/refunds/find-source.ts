import type { Order } from '../orders/order.ts'
import { Payment } from '../payments/payment.ts'
import { smaller, sum } from '../platform/money.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Refund } from './refund.ts'

/** Where refunded money comes from: through the gateway as far as a payment reaches, the rest by other means. */
export interface RefundSource {
  /** The captured gateway payment with the most money left; null when none has any. */
  payment: Payment | null
  /** What is left of that payment. */
  gatewayMinor: bigint
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
  const elsewhereMinor = order.refundableMinor - sum(left.map(({ leftMinor }) => leftMinor))
  const [most] = left
    .filter(({ leftMinor }) => leftMinor > 0n)
    .sort((a, b) => (a.leftMinor < b.leftMinor ? 1 : -1))
  const gatewayMinor = most?.leftMinor ?? 0n
  // Credit given before leaves less than the payments hold.
  const refundableMinor = gatewayMinor + (elsewhereMinor > 0n ? elsewhereMinor : 0n)
  return {
    payment: most?.payment ?? null,
    gatewayMinor,
    refundableMinor: smaller(refundableMinor, order.refundableMinor),
  }
}

/** What has not gone back of a payment. */
export const leftOf = (payment: Payment, succeeded: Refund[]): bigint =>
  payment.amountMinor -
  sum(
    succeeded
      .filter(({ paymentId }) => paymentId === payment.id)
      .map(({ gatewayAmountMinor }) => gatewayAmountMinor),
  )
