import { type Capture, recordCapture } from '#shared/payments/capture/record-capture.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * The status of a payment at its gateway. `open`: the buyer can still pay. `reason` is the reason of the last decline.
 */
export type StatusAtGateway =
  | { status: 'open' | 'canceled'; reason: string | null }
  | ({ status: 'captured' } & Capture)

/**
 * Changes a payment and its order to the status at the gateway, from a notification or a read. A repeat or an outdated
 * status changes nothing. Does not book earlier refunds: call `settlePayment`.
 */
export async function applyGatewayStatus(
  tx: StoreTx,
  paymentId: string,
  outcome: StatusAtGateway,
): Promise<void> {
  if (outcome.status === 'captured') return recordCapture(tx, paymentId, outcome)
  if (outcome.status === 'canceled') {
    await failPayment(tx, paymentId, { status: 'canceled', reason: outcome.reason })
    await recordClosed(tx, paymentId)
  } else if (outcome.reason) await failPayment(tx, paymentId, { status: 'failed', reason: outcome.reason })
}

/** Records that the gateway can no longer capture a payment, and erases its client secret. */
export const recordClosed = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx)
    .findById(paymentId)
    .whereNull('closed_at_gateway')
    .patch({ closedAtGateway: now(), clientSecret: null, payerNetwork: null })

/** Records that the status of a payment was read at its gateway. */
export const recordRead = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx).findById(paymentId).patch({ readAt: now() })
