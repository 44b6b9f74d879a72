import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { registerReference } from '../gateway-events/references.ts'
import { cancelPayment } from '../jobs.ts'
import { Payment } from '../payment.ts'
import { PAYMENT_TRANSITIONS } from '../states.ts'

/** Records that the gateway has opened a payment. If the payment was canceled in between, it is canceled there too. */
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
  await registerReference(tx, payment.provider, reference, { paymentId })
  if (payment.status === 'canceled') await enqueue(tx, cancelPayment, { paymentId })
  await notifySettled(tx, paymentId)
}
