import type { OrderActor } from '#shared/orders/actor.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import type { Payment } from '../payment.ts'

/** Notes on the order that staff decide about a mismatched payment. */
export async function recordMismatch(tx: StoreTx, order: LockedOrder, payment: Payment): Promise<void> {
  const captured = formatMinor(payment.capturedMinor ?? 0n, payment.capturedCurrency ?? payment.currency)
  const requested = formatMinor(payment.amountMinor, payment.currency)
  await note(tx, order, `The gateway captured ${captured} instead of ${requested}: accept or return it`)
}

/** Notes on the order what staff decided about a mismatched payment. */
export const recordDecision = (
  tx: StoreTx,
  order: LockedOrder,
  decision: string,
  actor: OrderActor,
): Promise<void> => note(tx, order, `Mismatched payment: ${decision}`, actor)

async function note(tx: StoreTx, order: Order, text: string, actor: OrderActor = 'gateway'): Promise<void> {
  await addHistoryNote(tx, order, text, actor)
  await emitOrderEvents(tx, order.id, [orderUpdated])
}
