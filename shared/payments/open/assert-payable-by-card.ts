import { OrderErrors } from '#shared/orders/errors.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { assertNotMismatched } from '#shared/payments/assert-not-mismatched.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Throws `order.not_payable` if an order does not await a payment by card, or staff must decide about a payment. */
export async function assertPayableByCard(
  tx: StoreTx,
  { id, status, awaitsPayment, paymentMethod: method }: LockedOrder,
): Promise<void> {
  if (!awaitsPayment || method !== 'card') throw OrderErrors.notPayable({ status, method })
  await assertNotMismatched(tx, id)
}
