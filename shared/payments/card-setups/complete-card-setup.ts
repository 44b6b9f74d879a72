import { findOrder, type LockedOrder } from '#shared/orders/order.ts'
import { cancelUnfulfillable } from '#shared/payments/capture/cancel-unfulfillable.ts'
import { completePayment } from '#shared/payments/capture/complete-payment.ts'
import { reserveForPaidOrder } from '#shared/payments/capture/reserve-for-paid-order.ts'
import { CARD_SETUP_TRANSITIONS, CardSetup, lockSetup } from '#shared/payments/card-setup.ts'
import { detachCard } from '#shared/payments/jobs.ts'
import { recordSavedCard, type SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Saves the card of a setup. Returns false if the order was canceled or the customer erased. Then the caller removes
 * the card at the gateway.
 */
export async function saveCardOfSetup(tx: StoreTx, setup: CardSetup, card: SavedCard): Promise<boolean> {
  const order = setup.orderId ? await findOrder(tx, setup.orderId) : null
  if (order?.status !== 'canceled') return recordSavedCard(tx, setup, card)
  await enqueue(tx, detachCard, { provider: setup.provider, reference: card.reference })
  return false
}

/**
 * Records once that a setup succeeded. The free order that waited for it becomes processing, even if it had expired.
 */
export async function completeCardSetup(
  tx: StoreTx,
  setupId: string,
  { reference }: SavedCard,
): Promise<void> {
  const { setup, order } = (await lockSetup(tx, setupId)) ?? {}
  if (!setup || !canTransition(CARD_SETUP_TRANSITIONS, setup.status, 'succeeded')) return
  const at = now()
  await CardSetup.in(tx).findById(setupId).patch({
    status: 'succeeded',
    cardReference: reference,
    clientSecret: null,
    payerNetwork: null,
    closedAtGateway: at,
    updatedAt: at,
  })
  await notifySettled(tx, setupId)
  if (order?.awaitsPayment && order.dueMinor === 0n) await completeFreeOrder(tx, order)
}

async function completeFreeOrder(tx: StoreTx, order: LockedOrder): Promise<void> {
  const obstacle = await reserveForPaidOrder(tx, order)
  if (obstacle) await cancelUnfulfillable(tx, order, `The card was saved after ${obstacle}.`)
  else await completePayment(tx, order, { paidMinor: 0n, actor: 'gateway' })
}
