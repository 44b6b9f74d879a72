import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOpenPayment, type Payment } from '../payment.ts'
import type { PaymentWindow } from '../payment-window.ts'
import { assertPayableByCard, renewReservation, replacePayment } from './renew-payment.ts'

/**
 * Pays an order by saved card without the buyer: a job charges the card. `reference` is the gateway's id of the card. A
 * failed order becomes pending with its resources reserved again; its other payments are canceled. A charge that is
 * still awaited is returned instead of a second one. Throws `order.not_payable`, and the errors of `reserveResources`.
 */
export async function payBySavedCard(
  tx: StoreTx,
  order: LockedOrder,
  reference: string,
  window: PaymentWindow,
): Promise<Payment> {
  await assertPayableByCard(tx, order)
  const open = await findOpenPayment(tx, order.id)
  if (open?.cardUse === 'saved') return open
  await renewReservation(tx, order, window)
  return replacePayment(tx, order, window, { actor: 'system', card: { use: 'saved', reference } })
}
