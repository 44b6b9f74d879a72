import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { prepareRefundToSend } from '#shared/refunds/gateway/prepare-refund-to-send.ts'
import { sendRefund as job } from '#shared/refunds/jobs.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { isInProgress } from '#shared/refunds/states.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { sendOrReadRefund } from './send-or-read-refund.ts'

/** A bank may take days. The gateway reports the end, and polling covers a lost notification. */
const POLL_AFTER_MS = 6 * HOUR_MS

/**
 * Sends a refund, or reads a sent one from the gateway, between two transactions. If the process dies between them, the
 * next run repeats the call with the same key, or finds the refund that the call created.
 */
export const sendRefund = handle(job, async ({ storeId, refundId }) => {
  const toSend = await inStore(storeId, (tx) => prepareRefundToSend(tx, refundId))
  if (!toSend) return
  const outcome = await sendOrReadRefund(stripeGateway(), toSend)
  await inStore(storeId, async (tx) => {
    for (const reported of outcome.refundsOfPayment ?? []) await bookGatewayRefund(tx, reported)
    await settleRefund(tx, refundId, outcome)
    if (isInProgress(outcome.status))
      await enqueue(tx, job, { refundId }, { startAfter: inMs(POLL_AFTER_MS) })
  })
})
