import type { Order } from '#shared/orders/order.ts'
import { chargeSavedCard, openPayment } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * How a payment uses a card: it saves the buyer's card for later charges, or charges a saved card without the buyer.
 */
export type PaymentCard = { use: 'save' } | { use: 'saved'; reference: string }

/**
 * Starts a card payment of an order's total less its voucher. A worker opens it at the gateway or charges the saved
 * card, with the payment's id as idempotency key. By default the card is saved if the order is a charge of a
 * subscription.
 */
export async function startPayment(
  tx: StoreTx,
  order: Pick<Order, 'id' | 'dueMinor' | 'currency' | 'expiresAt' | 'subscriptionId'>,
  card: PaymentCard | undefined = order.subscriptionId === null ? undefined : { use: 'save' },
): Promise<Payment> {
  const at = now()
  const payment = await Payment.in(tx).insert({
    orderId: order.id,
    provider: CARD_PROVIDER,
    status: 'pending',
    amountMinor: order.dueMinor,
    currency: order.currency,
    cardUse: card?.use ?? null,
    cardReference: card?.use === 'saved' ? card.reference : null,
    expiresAt: order.expiresAt,
    createdAt: at,
    updatedAt: at,
  })
  await enqueueOpening(tx, payment)
  return payment
}

/**
 * Enqueues the job that sends a pending payment to the gateway. The payment's id is the idempotency key, so a repeat is
 * harmless.
 */
export const enqueueOpening = (
  tx: StoreTx,
  { id: paymentId, cardUse }: Pick<Payment, 'id' | 'cardUse'>,
): Promise<string> => enqueue(tx, cardUse === 'saved' ? chargeSavedCard : openPayment, { paymentId })
