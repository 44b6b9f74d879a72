import type { LockedOrder } from '#shared/orders/order.ts'
import { findReplacedOrderIds } from '#shared/orders/replacements/find-replaced-order-ids.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertReplacedUnitsPaid } from '#shared/refunds/replacements/assert-replaced-units-paid.ts'
import { assertNotBeingRefunded } from '#shared/refunds/request/assert-not-being-refunded.ts'
import { assertPaymentUndisputed } from './assert-payment-undisputed.ts'

/**
 * Throws `refund.in_progress`, `order.disputed` or `order.replaced_units_refunded` while an order must not be shipped,
 * because the goods could be lost with the money.
 */
export async function assertMayShip(tx: StoreTx, order: LockedOrder): Promise<void> {
  await assertNotBeingRefunded(tx, order)
  await assertMoneyKept(tx, order)
}

/**
 * Throws `order.disputed` or `order.replaced_units_refunded` while the money for an order's units is disputed or paid
 * back. For a replacement this is the money of the order that it replaces.
 */
export async function assertMoneyKept(tx: StoreTx, { id }: LockedOrder): Promise<void> {
  await assertPaymentUndisputed(tx, id)
  for (const orderId of await findReplacedOrderIds(tx, id)) {
    await assertReplacedUnitsPaid(tx, orderId)
    await assertPaymentUndisputed(tx, orderId)
  }
}
