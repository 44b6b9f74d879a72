import { now } from '../platform/clock.ts'
import { enqueue } from '../platform/enqueue.ts'
import { announce } from '../platform/signals.ts'
import { mayBecome } from '../platform/states.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { cancelPayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { PAYMENT_TRANSITIONS } from './states.ts'

/** Notes that the gateway has opened a payment. One that was given up meanwhile is canceled there at once. */
export async function settleOpening(
  tx: StoreTx,
  paymentId: string,
  { reference, clientSecret }: { reference: string; clientSecret: string },
): Promise<void> {
  const payment = await Payment.in(tx).findById(paymentId).forNoKeyUpdate()
  if (!payment || payment.gatewayReference) return
  const isWanted = mayBecome(PAYMENT_TRANSITIONS, payment.status, 'requires_action')
  await Payment.in(tx)
    .findById(paymentId)
    .patch({
      gatewayReference: reference,
      clientSecret,
      updatedAt: now(),
      ...(isWanted ? { status: 'requires_action' as const } : {}),
    })
  if (payment.status === 'canceled') await enqueue(tx, cancelPayment, { paymentId })
  await announce(tx, paymentId)
}
