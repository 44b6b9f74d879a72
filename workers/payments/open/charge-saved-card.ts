import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { recordClosedAtGateway } from '#shared/payments/close/record-closed-at-gateway.ts'
import { chargeSavedCard as job } from '#shared/payments/jobs.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { lockPayment, type Payment } from '#shared/payments/payment.ts'
import { findGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import {
  type SavedCardPayment,
  startSavedCardPayment,
} from '#shared/payments/saved-cards/start-saved-card-payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { settlePayment } from '#shared/settlement/settle-payment.ts'
import { GatewayRefusal, type OpenedIntent } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { closeEarlierPayments } from '#workers/payments/close/close-earlier-payments.ts'
import { findSentPayment } from '#workers/payments/find-sent-payment.ts'
import { metadataOf } from '#workers/payments/payment-metadata.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Charges a saved card without the buyer, between two transactions. The first transaction records that the charge is
 * sent. The payment's id is the idempotency key, so a repeat charges nothing twice. After a refusal the payment fails.
 * After any other error the outcome is unknown, and the queue repeats the job.
 */
export const chargeSavedCard = handle(job, async ({ storeId, paymentId }) => {
  await closeEarlierPayments(storeId, paymentId)
  const sending = await inStore(storeId, (tx) => startSavedCardPayment(tx, paymentId))
  if (!sending) return
  const { payment, customerId } = sending
  const customer = await inStore(storeId, (tx) => findGatewayCustomer(tx, customerId, payment.provider))
  if (!customer) return failCharge(payment, 'card_removed')
  const earlier = await findEarlierCharge(payment)
  if (earlier) return recordOutcome(payment, earlier)
  let charged: SentCharge
  try {
    charged = await charge(sending, customer)
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return failCharge(payment, error.reason)
  }
  await recordOutcome(payment, charged)
})

type SentCharge = OpenedIntent & { declineCode?: string }

/** Finds what an earlier run has charged, when the gateway no longer knows its idempotency key. */
async function findEarlierCharge(payment: Payment): Promise<SentCharge | null> {
  const isKeyExpired = payment.createdAt < inMs(-stripeGateway().keyLifetimeMs)
  return isKeyExpired ? findSentPayment(payment) : null
}

function charge({ payment, cardReference }: SavedCardPayment, customer: string): Promise<SentCharge> {
  const { id: idempotencyKey, amountMinor, currency } = payment
  const metadata = metadataOf(payment)
  return stripeGateway().chargeSavedCard({
    idempotencyKey,
    customer,
    cardReference,
    amountMinor,
    currency,
    metadata,
  })
}

/** Fails a payment after a refusal. There is no payment at the gateway then. */
const failCharge = ({ id, storeId }: Payment, reason: string): Promise<void> =>
  inStore(storeId, async (tx) => {
    await failPayment(tx, id, { status: 'failed', reason })
    await recordClosedAtGateway(tx, id)
  })

/**
 * Records the outcome. It reads the payment again, because for a repeated charge the gateway returns the first result,
 * not the current one.
 */
async function recordOutcome({ id, storeId }: Payment, sent: SentCharge): Promise<void> {
  const read = await stripeGateway().readPayment(sent.reference)
  const outcome = read.status === 'open' ? { ...read, reason: read.reason ?? sent.declineCode ?? null } : read
  await inStore(storeId, async (tx) => {
    await lockPayment(tx, id)
    await recordOpenedPayment(tx, id, sent)
    await settlePayment(tx, id, outcome)
  })
}
