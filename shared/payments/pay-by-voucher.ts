import { emitOrderEvents, orderPaid } from '#shared/orders/events.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { captureVoucher } from '#shared/vouchers/capture-voucher.ts'

/** Pays a new order, whose voucher covers all of it, at its checkout: no gateway is asked. */
export async function payByVoucher(tx: StoreTx, order: Order): Promise<void> {
  const amountCapturedMinor = await captureVoucher(tx, order)
  await Order.in(tx)
    .findById(order.id)
    .patch({ amountCapturedMinor, paidAt: now(), updatedAt: nextUpdatedAt(order) })
  await emitOrderEvents(tx, order.id, [orderPaid])
}
