import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Payment } from './payment.ts'

/** Money that a gateway captured, in minor units. `reference` is the gateway's id of the payment. */
export interface Capture {
  reference: string
  amountMinor: bigint
  currency: string
}

/**
 * The status of a payment at its gateway. `open`: the buyer can still pay. `reason` is the reason of the last decline.
 */
export type StatusAtGateway =
  | { status: 'open' | 'canceled'; reason: string | null }
  | ({ status: 'captured' } & Capture)

/** Records that the gateway can no longer capture a payment, and erases its client secret. */
export const recordClosed = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx)
    .findById(paymentId)
    .whereNull('closed_at_gateway')
    .patch({ closedAtGateway: now(), clientSecret: null, payerNetwork: null })

/** Records that the status of a payment was read at its gateway. */
export const recordRead = (tx: StoreTx, paymentId: string): PromiseLike<unknown> =>
  Payment.in(tx).findById(paymentId).patch({ readAt: now() })
