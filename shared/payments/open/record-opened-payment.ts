import { cancelPayment, importGatewayHistory } from '#shared/payments/jobs.ts'
import { NOTIFICATION_OVERLAP_MS } from '#shared/payments/notification-overlap-ms.ts'
import { Payment } from '#shared/payments/payment.ts'
import { registerReference } from '#shared/payments/payment-references.ts'
import { PAYMENT_TRANSITIONS } from '#shared/payments/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'

/**
 * `read-missed-notifications` reads notifications again for at least this time, so only the history of an older payment
 * is imported. It is shorter than the overlap, because a run may precede this commit, and the gateway's clock may be
 * behind.
 */
const NOTIFICATIONS_READ_AGAIN_MS = NOTIFICATION_OVERLAP_MS - 3 * MINUTE_MS

/**
 * Records that the gateway has opened a payment. A payment that was canceled during the request is canceled at the
 * gateway too.
 */
export async function recordOpenedPayment(
  tx: StoreTx,
  paymentId: string,
  { reference, clientSecret }: { reference: string; clientSecret: string },
): Promise<void> {
  const payment = await Payment.in(tx).findById(paymentId).forNoKeyUpdate()
  if (!payment || payment.gatewayReference) return
  const isWanted = canTransition(PAYMENT_TRANSITIONS, payment.status, 'requires_action')
  await Payment.in(tx)
    .findById(paymentId)
    .patch({
      gatewayReference: reference,
      clientSecret,
      updatedAt: now(),
      ...(isWanted ? { status: 'requires_action' as const } : {}),
    })
  const isNew = await registerReference(tx, payment.provider, reference, { paymentId })
  // A saved card is charged before the payment's reference is known. If the response was lost, older notifications of
  // refunds found no store, and no job reads them again.
  const wasUnknown = payment.sentAt && payment.createdAt < inMs(-NOTIFICATIONS_READ_AGAIN_MS)
  if (isNew && wasUnknown) await enqueue(tx, importGatewayHistory, { paymentId })
  if (payment.status === 'canceled') await enqueue(tx, cancelPayment, { paymentId })
  await notifySettled(tx, paymentId)
}
