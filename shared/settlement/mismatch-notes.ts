import type { OrderActor } from '#shared/orders/actor.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { capturedOf, type Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'

/** Adds a note to the order: a payment is mismatched, and staff must decide about it. */
export async function noteMismatch(tx: StoreTx, order: LockedOrder, payment: Payment): Promise<void> {
  const { amountMinor, currency } = capturedOf(payment)
  const captured = formatMinor(amountMinor, currency)
  const requested = formatMinor(payment.amountMinor, payment.currency)
  await addNote(tx, order, `The gateway captured ${captured} instead of ${requested}: accept or return it`)
}

/** Adds the decision of staff about a mismatched payment to the order's notes. */
export const noteDecision = (
  tx: StoreTx,
  order: LockedOrder,
  decision: string,
  actor: OrderActor,
): Promise<void> => addNote(tx, order, `Mismatched payment: ${decision}`, actor)

async function addNote(
  tx: StoreTx,
  order: Order,
  text: string,
  actor: OrderActor = 'gateway',
): Promise<void> {
  await addHistoryNote(tx, order, text, actor)
  await emitOrderEvents(tx, order.id, [orderUpdated])
}
