import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { beginSending, type SendingRefund } from '#shared/refunds/begin-sending.ts'
import { sendRefund as job } from '#shared/refunds/jobs.ts'
import { type RefundOutcome, settleRefund } from '#shared/refunds/settle-refund.ts'
import { isUnderWay } from '#shared/refunds/states.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'
import { handle } from '#workers/platform/handle.ts'

/** A bank may take days; the gateway tells of the end by itself, and is asked in case that was lost. */
const ASK_AGAIN_MS = 6 * HOUR_MS

/**
 * Sends a refund, between two transactions. Whatever ends this process on the way, the next one repeats the call with
 * the same key, or finds what the call made.
 */
export const sendRefund = handle(job, async ({ storeId, refundId }) => {
  const sending = await inStore(storeId, (tx) => beginSending(tx, refundId))
  if (!sending) return
  const outcome = await outcomeAt(stripeGateway(), sending)
  await inStore(storeId, async (tx) => {
    await settleRefund(tx, refundId, outcome)
    if (isUnderWay(outcome.status)) await enqueue(tx, job, { refundId }, { startAfter: inMs(ASK_AGAIN_MS) })
  })
})

async function outcomeAt(gateway: PaymentGateway, sending: SendingRefund): Promise<RefundOutcome> {
  const { refund, sentBeforeAt } = sending
  if (refund.gatewayReference) return gateway.readRefund(refund.gatewayReference)
  const keyIsForgotten = sentBeforeAt && sentBeforeAt < inMs(-gateway.keepsKeysMs)
  const made = keyIsForgotten ? await findMade(gateway, sending) : null
  return made ?? create(gateway, sending)
}

async function create(gateway: PaymentGateway, sending: SendingRefund): Promise<RefundOutcome> {
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
    // "Refunded already" may be the answer to an earlier try of this very refund.
    const made = await findMade(gateway, sending)
    return made ?? { status: 'failed', reference: null, failureReason: error.reason }
  }
}

const findMade = (gateway: PaymentGateway, { refund, paymentReference }: SendingRefund) =>
  gateway.findRefund({ paymentReference, refundId: refund.id })
