import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { addHistoryNote, assertHistoryLeft } from '#shared/orders/order-step.ts'
import { assertNotMismatched } from '#shared/payments/assert-not-mismatched.ts'
import { insertOfflinePayment } from '#shared/payments/capture/insert-offline-payment.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { payWithCapture } from './pay-with-capture.ts'

/**
 * Records received money that no gateway captured, in every status of the order. It pays the order if that needs a
 * payment and can be fulfilled. What the order does not need is a surplus, which staff return. An order that can no
 * longer be fulfilled is canceled. Throws 422 at `amount` if it is less than what is due, because the rest would be a
 * surplus when it arrives. Throws `order.not_payable` while staff must decide about a mismatched payment.
 */
export async function recordReceivedMoney(
  tx: StoreTx,
  orderId: string,
  { amountMinor, note }: { amountMinor: bigint; note: string | null },
  actor: OrderActor,
): Promise<void> {
  const order = await lockOrder(tx, orderId)
  await assertHistoryLeft(tx, orderId)
  if (order.needsPayment && amountMinor < order.dueMinor)
    throw invalid(
      ['amount'],
      `Record at least ${formatMinor(order.dueMinor, order.currency)}, once all of it has arrived`,
    )
  await assertNotMismatched(tx, orderId)
  await cancelPayments(tx, orderId)
  if (note !== null) await addHistoryNote(tx, order, note, actor)
  const received = { provider: 'offline', actor, capturedMinor: amountMinor }
  const payment = await insertOfflinePayment(tx, order, received)
  await bookExcess(tx, await payWithCapture(tx, order, payment))
}
