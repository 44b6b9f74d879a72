import type { LockedOrder } from '#shared/orders/order.ts'
import { findOpenPayment, type Payment } from '#shared/payments/payment.ts'
import type { PaymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertPayableByCard } from './assert-payable-by-card.ts'
import { renewReservation } from './renew-reservation.ts'
import { replacePayment } from './replace-payment.ts'

/**
 * Pays an order by saved card off-session: the buyer is not present. A job charges the card; `reference` is the
 * gateway's id of the card. A failed order becomes pending, and its resources are reserved again. The order's other
 * payments are canceled. If the outcome of a charge is still awaited, returns that payment instead of a second one.
 * Throws `order.not_payable`, and the errors of `reserveResources`.
 */
export async function payBySavedCard(
  tx: StoreTx,
  order: LockedOrder,
  reference: string,
  window: PaymentWindow,
): Promise<Payment> {
  await assertPayableByCard(tx, order)
  const pending = await findOpenPayment(tx, order.id)
  if (pending?.cardUse === 'saved') return pending
  await renewReservation(tx, order, window)
  return replacePayment(tx, order, window, { actor: 'system', card: { use: 'saved', reference } })
}
