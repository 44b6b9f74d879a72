import { emitOrderEvents, orderPaid } from '../orders/events.ts'
import { Order } from '../orders/order.ts'
import { now } from '../platform/clock.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { captureVoucher } from '../vouchers/capture-voucher.ts'

/** Pays a new order, whose voucher covers all of it, at its checkout: no gateway is asked. */
export async function payByVoucher(tx: StoreTx, order: Order): Promise<void> {
  const amountCapturedMinor = await captureVoucher(tx, order)
  await Order.in(tx)
    .findById(order.id)
    .patch({ amountCapturedMinor, paidAt: now(), updatedAt: changedAt(order) })
  await emitOrderEvents(tx, order.id, [orderPaid])
}
