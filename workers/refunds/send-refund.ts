import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { bookGatewayRefund, type GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { type SendingRefund, startSending } from '#shared/refunds/gateway/start-sending.ts'
import { sendRefund as job } from '#shared/refunds/jobs.ts'
import { type RefundOutcome, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { isInProgress } from '#shared/refunds/states.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/** A bank may take days. The gateway reports the end, and polling covers a lost notification. */
const POLL_AFTER_MS = 6 * HOUR_MS

/**
 * Sends a refund, between two transactions. If the process dies between them, the next run repeats the call with the
 * same key, or finds the refund that the call created.
 */
export const sendRefund = handle(job, async ({ storeId, refundId }) => {
  const sending = await inStore(storeId, (tx) => startSending(tx, refundId))
  if (!sending) return
  const outcome = await requestOutcome(stripeGateway(), sending)
  await inStore(storeId, async (tx) => {
    for (const made of outcome.madeAtGateway ?? []) await bookGatewayRefund(tx, made)
    await settleRefund(tx, refundId, outcome)
    if (isInProgress(outcome.status))
      await enqueue(tx, job, { refundId }, { startAfter: inMs(POLL_AFTER_MS) })
  })
})

/**
 * The outcome of a request. If the gateway refused it, `madeAtGateway` has all refunds of the payment at the gateway.
 * Some may be unknown here.
 */
type Requested = RefundOutcome & { madeAtGateway?: GatewayRefund[] }

async function requestOutcome(gateway: PaymentGateway, sending: SendingRefund): Promise<Requested> {
  const { refund, firstSentAt } = sending
  if (refund.gatewayReference) return gateway.readRefund(refund.gatewayReference)
  const isKeyExpired = firstSentAt && firstSentAt < inMs(-gateway.keyLifetimeMs)
  const created = isKeyExpired ? await findCreatedRefund(gateway, sending) : null
  return created ?? create(gateway, sending)
}

async function create(gateway: PaymentGateway, sending: SendingRefund): Promise<Requested> {
  const { refund, paymentReference } = sending
  try {
    return await gateway.refund({
      idempotencyKey: refund.id,
      paymentReference,
      amountMinor: refund.gatewayAmountMinor,
      currency: refund.currency,
      metadata: { refund_id: refund.id, order_id: refund.orderId, store_id: refund.storeId },
    })
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    // An earlier attempt of this refund, or a refund at the gateway itself, may have caused "already refunded".
    const madeAtGateway = await gateway.listRefunds(paymentReference)
    const created = madeAtGateway.find(({ refundId }) => refundId === refund.id)
    return created ?? { status: 'failed', reference: null, failureReason: error.reason, madeAtGateway }
  }
}

async function findCreatedRefund(gateway: PaymentGateway, { refund, paymentReference }: SendingRefund) {
  const refunds = await gateway.listRefunds(paymentReference)
  return refunds.find(({ refundId }) => refundId === refund.id) ?? null
}
