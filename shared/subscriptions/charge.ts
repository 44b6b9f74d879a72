import { type Static, Type } from 'typebox'
import { Payment } from '#shared/payments/payment.ts'
import { type PartialModelObject, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toText, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Subscription } from './subscription.ts'

/**
 * The cause of a failed attempt. `order`: the store could not order or pay the charge, and the reason is an error code.
 * `gateway`: the payment failed, and the reason is the gateway's.
 */
export type FailureKind = 'order' | 'gateway'

/** One charge of a subscription: an order, and the attempts to pay it. */
export class Charge extends StoreModel {
  static override tableName = 'subscription_charges'

  declare subscriptionId: string
  declare chargeNo: number
  /** Null until an order could be placed, e.g. while the stock is short. */
  declare orderId: string | null
  /** The payment whose outcome is awaited; null if there is none. */
  declare paymentId: string | null
  /** The number of failed attempts. */
  declare attempts: number
  /** The last failure; null before the first. */
  declare failureKind: FailureKind | null
  declare failureReason: string | null
  declare firstFailedAt: Date | null
  declare nextAttemptAt: Date | null
  /**
   * The time at which the charge was paid or canceled; null while it is open. A subscription has at most one open
   * charge.
   */
  declare settledAt: Date | null
  declare createdAt: Date

  /** Changes the row and returns it as it is now. The caller has locked the subscription. */
  async change(this: Charge, tx: StoreTx, changes: PartialModelObject<Charge>): Promise<Charge> {
    await Charge.in(tx).findById(this.id).patch(changes)
    return this.with(changes)
  }

  /** Settles the charge, paid or canceled. */
  settle(tx: StoreTx): Promise<Charge> {
    return this.change(tx, { settledAt: now(), nextAttemptAt: null, paymentId: null })
  }
}

/** Inserts the next charge of a subscription. */
export const insertCharge = (
  tx: StoreTx,
  { id, chargeNo }: Pick<Subscription, 'id' | 'chargeNo'>,
): PromiseLike<Charge> =>
  Charge.in(tx).insertAndFetch({ subscriptionId: id, chargeNo, attempts: 0, createdAt: now() })

/** Returns the open charge of a subscription. */
export const findOpenCharge = (
  tx: StoreTx,
  { id }: Pick<Subscription, 'id'>,
): PromiseLike<Charge | undefined> =>
  Charge.in(tx).where('subscription_id', id).whereNull('settled_at').first()

/** Returns the payment whose outcome a charge awaits. */
export const findAwaitedPayment = async (
  tx: StoreTx,
  { paymentId }: Pick<Charge, 'paymentId'>,
): Promise<Payment | undefined> => (paymentId ? Payment.in(tx).findById(paymentId) : undefined)

/** Whether no order could be placed for a charge, e.g. because the stock is short. */
export const couldNotBeOrdered = ({ orderId, failureKind }: Charge): boolean =>
  !orderId && failureKind === 'order'

/** An unpaid charge after a failed attempt. */
export const FailedCharge = Shape({
  charge_no: Type.Integer(),
  order_id: { ...Nullable(Uuid), description: 'The order to pay; null while no order could be placed' },
  attempts: Type.Integer({ description: 'Attempts that failed' }),
  reason: Type.String({ description: 'An error code of checkout, or the reason of the payment gateway' }),
  next_attempt_at: { ...Nullable(Timestamp), description: 'Null: it is not tried again' },
})

export const viewFailedCharge = (charge: Charge): Static<typeof FailedCharge> => ({
  charge_no: charge.chargeNo,
  order_id: charge.orderId,
  attempts: charge.attempts,
  reason: toText(charge.failureReason),
  next_attempt_at: toTimestampOrNull(charge.nextAttemptAt),
})
