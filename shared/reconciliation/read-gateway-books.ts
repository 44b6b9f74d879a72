import { Dispute } from '#shared/disputes/dispute.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'

/** The window of payments that were created at `from` or later, and before `to`. */
export interface Window {
  from: Date
  to: Date
}

/** A payment with a reference at a gateway, with its gateway refunds and disputes as they are recorded here. */
export interface PaymentBooks {
  payment: Payment
  refunds: Refund[]
  disputes: Dispute[]
}

/**
 * Returns the payments with these references at a gateway, oldest first, with refunds and disputes. It makes three
 * queries.
 */
export async function readGatewayBooks(tx: StoreTx, references: readonly string[]): Promise<PaymentBooks[]> {
  const payments = await Payment.in(tx)
    .whereIn('gateway_reference', [...references])
    .orderBy('id')
  const ids = payments.map(({ id }) => id)
  const refunds = await Refund.in(tx).whereIn('payment_id', ids).whereNot('origin', 'dispute').orderBy('id')
  const disputes = await Dispute.in(tx).whereIn('payment_id', ids).orderBy('id')
  const refundsOf = Map.groupBy(refunds, ({ paymentId }) => paymentId)
  const disputesOf = Map.groupBy(disputes, ({ paymentId }) => paymentId)
  return payments.map((payment) => ({
    payment,
    refunds: refundsOf.get(payment.id) ?? [],
    disputes: disputesOf.get(payment.id) ?? [],
  }))
}
