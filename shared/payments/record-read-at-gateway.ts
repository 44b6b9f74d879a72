import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Payment } from './payment.ts'

/** Records that the status of a payment was read at its gateway. */
export const recordReadAtGateway = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx).findById(paymentId).patch({ readAt: now() })
