import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Payment } from './payment.ts'

/** Erases personal data of the payments of orders: client secrets, networks and failure reasons. */
export async function anonymizePayments(tx: StoreTx, orderIds: readonly string[]): Promise<void> {
  await Payment.in(tx)
    .whereRaw('order_id = any(?)', [[...orderIds]])
    .patch({ clientSecret: null, payerNetwork: null, failureReason: null })
}
