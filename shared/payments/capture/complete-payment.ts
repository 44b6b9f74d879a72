import type { OrderActor } from '#shared/orders/actor.ts'
import { setCapturedAmount } from '#shared/orders/amounts/set-captured-amount.ts'
import { orderPaid, orderUpdated } from '#shared/orders/events.ts'
import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { activateBoughtVouchers } from '#shared/vouchers/delivery/activate-bought-vouchers.ts'
import { captureVoucher } from '#shared/vouchers/redemptions/end-reservation.ts'

/**
 * Completes the payment of an order whose resources are reserved. The buyer pays `paidMinor` in money; the part of a
 * voucher is captured. An order that awaits payment becomes processing. An order that is fulfilled before payment keeps
 * its status. Vouchers that it bought become active. Returns the changed order.
 */
export async function completePayment(
  tx: StoreTx,
  order: LockedOrder,
  { paidMinor, actor, note = null }: { paidMinor: bigint; actor: OrderActor; note?: string | null },
): Promise<LockedOrder> {
  const voucherMinor = await captureVoucher(tx, order)
  const set = { amountCapturedMinor: paidMinor + voucherMinor, paidAt: now() }
  const paid = order.awaitsPayment
    ? await transitionOrder(tx, order, { to: 'processing', actor, note, set, events: [orderPaid] })
    : await setCapturedAmount(tx, order, set, [orderPaid, orderUpdated])
  await activateBoughtVouchers(tx, order.id)
  return paid
}
