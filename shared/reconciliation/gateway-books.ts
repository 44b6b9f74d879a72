import { Dispute } from '#shared/disputes/dispute.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'

/** The payments that were created from `from`, before `to`. */
export interface Window {
  from: Date
  to: Date
}

/**
 * A payment that a gateway knows, with the refunds that the gateway made and its disputes, as they are recorded here.
 */
export interface PaymentBooks {
  payment: Payment
  refunds: Refund[]
  disputes: Dispute[]
}

/** The payments of a window that a gateway knows, oldest first, with their refunds and disputes: three queries. */
export async function readGatewayBooks(tx: StoreTx, { from, to }: Window): Promise<PaymentBooks[]> {
  const payments = await Payment.in(tx)
    .whereNotNull('gateway_reference')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('id')
  return readBooks(tx, payments)
}

/** The payments that a gateway knows by these references, with their refunds and disputes. */
export const readGatewayBooksOf = async (
  tx: StoreTx,
  references: readonly string[],
): Promise<PaymentBooks[]> =>
  readBooks(
    tx,
    await Payment.in(tx)
      .whereIn('gateway_reference', [...references])
      .orderBy('id'),
  )

async function readBooks(tx: StoreTx, payments: readonly Payment[]): Promise<PaymentBooks[]> {
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
