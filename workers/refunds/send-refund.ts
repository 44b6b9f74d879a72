import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { prepareSending } from '#shared/refunds/gateway/prepare-sending.ts'
import { sendRefund as job } from '#shared/refunds/jobs.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { isInProgress } from '#shared/refunds/states.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { callGateway } from './call-gateway.ts'

/** A bank may take days. The gateway reports the end, and polling covers a lost notification. */
const POLL_AFTER_MS = 6 * HOUR_MS

/**
 * Sends a refund, or reads a sent one from the gateway, between two transactions. If the process dies between them, the
 * next run repeats the call with the same key, or finds the refund that the call created.
 */
export const sendRefund = handle(job, async ({ storeId, refundId }) => {
  const sending = await inStore(storeId, (tx) => prepareSending(tx, refundId))
  if (!sending) return
  const outcome = await callGateway(stripeGateway(), sending)
  await inStore(storeId, async (tx) => {
    for (const made of outcome.refundsOfPayment ?? []) await bookGatewayRefund(tx, made)
    await settleRefund(tx, refundId, outcome)
    if (isInProgress(outcome.status))
      await enqueue(tx, job, { refundId }, { startAfter: inMs(POLL_AFTER_MS) })
  })
})
