import { findOrder } from '#shared/orders/order.ts'
import { saveCard as job } from '#shared/payments/jobs.ts'
import { findPayment, type Payment } from '#shared/payments/payment.ts'
import {
  recordCardOfPayment,
  recordSavedCard,
  type SavedCard,
} from '#shared/payments/saved-cards/saved-card.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { readCard } from './read-card.ts'

/**
 * Reads the card of a captured payment at the gateway and saves it for later charges. It saves nothing if the buyer
 * removed the card in between.
 */
export const saveCard = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => findPaymentWithUnsavedCard(tx, paymentId))
  if (!payment?.gatewayReference) return
  const { cardReference } = await stripeGateway().readPayment(payment.gatewayReference)
  if (!cardReference) return
  const card = await readCard(cardReference)
  await inStore(storeId, (tx) => recordCardOf(tx, payment, card))
})

type CapturedPayment = Payment & { capturedAt: Date }

const isCaptured = (payment: Payment): payment is CapturedPayment => payment.capturedAt !== null

async function findPaymentWithUnsavedCard(
  tx: StoreTx,
  paymentId: string,
): Promise<CapturedPayment | undefined> {
  const payment = await findPayment(tx, paymentId)
  return payment?.cardUse === 'save' && isCaptured(payment) && !payment.cardReference ? payment : undefined
}

async function recordCardOf(
  tx: StoreTx,
  { id, orderId, provider, capturedAt }: CapturedPayment,
  card: SavedCard,
): Promise<void> {
  const { customerId } = await findOrder(tx, orderId)
  if (!customerId) throw new Error(`The payment ${id} saved the card of a guest`)
  const isSaved = await recordSavedCard(tx, { customerId, provider }, card)
  // Lock a subscription before its orders and payments.
  if (isSaved) await replaceCard(tx, { orderId, card, givenAt: capturedAt })
  await recordCardOfPayment(tx, id, card)
}
