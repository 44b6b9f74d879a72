import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Records that the gateway can no longer capture a payment, and erases its client secret. */
export const recordClosedAtGateway = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx)
    .findById(paymentId)
    .whereNull('closed_at_gateway')
    .patch({ closedAtGateway: now(), clientSecret: null, payerNetwork: null })
