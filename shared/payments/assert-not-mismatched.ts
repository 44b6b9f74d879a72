import { OrderErrors } from '#shared/orders/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findMismatchedPayment } from './payment.ts'

/** Throws `order.not_payable` if staff must decide about a mismatched payment of an order. */
export async function assertNotMismatched(tx: StoreTx, orderId: string): Promise<void> {
  if (await findMismatchedPayment(tx, orderId)) throw OrderErrors.notPayable({ reason: 'mismatched' })
}
