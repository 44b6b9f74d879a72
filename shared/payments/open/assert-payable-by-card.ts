import { OrderErrors } from '#shared/orders/errors.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { assertNotMismatched } from '#shared/payments/assert-not-mismatched.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Throws `order.not_payable` unless an order awaits a payment by card. */
export async function assertPayableByCard(
  tx: StoreTx,
  { id, status, awaitsPayment, paymentMethod: method }: LockedOrder,
): Promise<void> {
  if (!awaitsPayment || method !== 'card') throw OrderErrors.notPayable({ status, method })
  await assertNotMismatched(tx, id)
}
