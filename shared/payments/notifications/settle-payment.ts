import { type Capture, capturePayment } from '#shared/payments/capture/capture-payment.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** The status of a payment at its gateway. `open`: the buyer can still pay it; `reason` is that of the last decline. */
export type StatusAtGateway =
  | { status: 'open' | 'canceled'; reason: string | null }
  | ({ status: 'captured' } & Capture)

/**
 * Applies the status of a payment at its gateway, from a notification or a read. A repeat or an outdated status changes
 * nothing.
 */
export async function settlePayment(tx: StoreTx, paymentId: string, outcome: StatusAtGateway): Promise<void> {
  if (outcome.status === 'captured') return capturePayment(tx, paymentId, outcome)
  if (outcome.status === 'canceled') {
    await failPayment(tx, paymentId, { status: 'canceled', reason: outcome.reason })
    await recordClosed(tx, paymentId)
  } else if (outcome.reason) await failPayment(tx, paymentId, { status: 'failed', reason: outcome.reason })
}

/** Records that the gateway cannot capture a payment any more: its client secret is of no more use. */
export const recordClosed = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx)
    .findById(paymentId)
    .whereNull('closed_at_gateway')
    .patch({ closedAtGateway: now(), clientSecret: null, payerNetwork: null })

/** Records that the status of a payment was read at its gateway. */
export const recordRead = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx).findById(paymentId).patch({ readAt: now() })
