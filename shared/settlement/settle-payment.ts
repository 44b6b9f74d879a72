import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { recordClosedAtGateway } from '#shared/payments/close/record-closed-at-gateway.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyCapture } from './apply-capture.ts'

/**
 * Changes a payment and its order to the status at the gateway, from a notification or a read. A repeat or an outdated
 * status changes nothing.
 */
export async function settlePayment(tx: StoreTx, paymentId: string, outcome: StatusAtGateway): Promise<void> {
  if (outcome.status === 'captured') return applyCapture(tx, paymentId, outcome)
  if (outcome.status === 'canceled') {
    await failPayment(tx, paymentId, { status: 'canceled', reason: outcome.reason })
    await recordClosedAtGateway(tx, paymentId)
  } else if (outcome.reason !== null) {
    // Declined: the buyer can still pay with another card.
    await failPayment(tx, paymentId, { status: 'failed', reason: outcome.reason })
  }
}
