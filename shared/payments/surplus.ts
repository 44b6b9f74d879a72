import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { inMs, now } from '#shared/platform/time/clock.ts'
import { returnSurplus } from './jobs.ts'
import type { Payment } from './payment.ts'
import { surplusRetryDelayMs } from './surplus-retry-delay-ms.ts'

export const SURPLUS_STATUSES = ['owed', 'returned'] as const
export type SurplusStatus = (typeof SURPLUS_STATUSES)[number]

/** The reasons why an order does not need captured money. */
export const SURPLUS_REASONS = [
  'paid_twice',
  'order_canceled',
  'order_not_fulfillable',
  'overpaid',
  'rejected',
] as const
export type SurplusReason = (typeof SURPLUS_REASONS)[number]

/**
 * Captured money that the order does not need, so the store owes it to the buyer. The order's captured and refunded
 * amounts do not contain it. Each attempt to return it is a refund with its `surplusId`. Amounts are in minor units of
 * `currency`.
 */
export class Surplus extends StoreModel {
  static override tableName = 'surpluses'

  declare orderId: string
  declare paymentId: string
  declare reason: SurplusReason
  declare status: SurplusStatus
  declare amountMinor: bigint
  declare returnedMinor: bigint
  /** The captured currency. After a mismatch it may differ from the order's currency. */
  declare currency: string
  /** The number of started refunds. */
  declare attempts: number
  /**
   * The time of the next attempt; null while a refund is in progress, once nothing is owed, and for a payment outside a
   * gateway, which staff return.
   */
  declare nextAttemptAt: Date | null
  /** The gateway's reason for the last refusal. */
  declare failureReason: string | null
  declare createdAt: Date
  declare updatedAt: Date

  get owedMinor(): bigint {
    return this.amountMinor - this.returnedMinor
  }
}

/** Returns the surplus of a payment if it is still owed. */
export const findOwedSurplus = (tx: StoreTx, paymentId: string): PromiseLike<Surplus | undefined> =>
  Surplus.in(tx).findOne({ payment_id: paymentId, status: 'owed' })

/** Returns the surpluses of an order, oldest first. */
export const listSurpluses = (tx: StoreTx, orderId: string): PromiseLike<Surplus[]> =>
  Surplus.in(tx).where('order_id', orderId).orderBy('id')

/**
 * Records captured money that the order does not need, and enqueues its refund. Staff return money of a payment outside
 * a gateway, by `markSurplusReturned`.
 */
export async function recordSurplus(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  { amountMinor, reason }: { amountMinor: bigint; reason: SurplusReason },
): Promise<void> {
  const at = now()
  const currency = payment.capturedCurrency ?? payment.currency
  const surplus = await Surplus.in(tx).insert({
    orderId: order.id,
    paymentId: payment.id,
    reason,
    status: 'owed',
    amountMinor,
    currency,
    nextAttemptAt: payment.isOffline ? null : at,
    createdAt: at,
    updatedAt: at,
  })
  const state = payment.isOffline
    ? 'owed to the buyer: return it by other means'
    : 'being refunded to the buyer'
  const note = `A surplus of ${formatMinor(amountMinor, currency)} is ${state}`
  await addHistoryNote(tx, order, note, 'system')
  if (!payment.isOffline) await enqueue(tx, returnSurplus, { surplusId: surplus.id })
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** Counts an attempt to refund a surplus. */
export async function countRefundAttempt(tx: StoreTx, { id, attempts }: Surplus): Promise<void> {
  await Surplus.in(tx)
    .findById(id)
    .patch({ attempts: attempts + 1, nextAttemptAt: null, updatedAt: now() })
}

/**
 * Adds returned money to a surplus. The amount is negative if the bank sent the money back, so that it is owed again.
 */
export async function recordReturned(tx: StoreTx, surplusId: string, amountMinor: bigint): Promise<void> {
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  const returnedMinor = surplus.returnedMinor + amountMinor
  const isReturned = returnedMinor === surplus.amountMinor
  await Surplus.in(tx)
    .findById(surplusId)
    .patch({
      returnedMinor,
      status: isReturned ? 'returned' : 'owed',
      updatedAt: now(),
      ...(isReturned ? { nextAttemptAt: null, failureReason: null } : {}),
    })
  if (!isReturned && amountMinor > 0n) await scheduleRefundAttempt(tx, surplus, surplus.failureReason)
}

/** Schedules the next refund of a surplus after a failed one. */
export async function scheduleRefundAttempt(
  tx: StoreTx,
  { id, attempts }: Pick<Surplus, 'id' | 'attempts'>,
  failureReason: string | null,
): Promise<void> {
  const nextAttemptAt = inMs(surplusRetryDelayMs(attempts))
  await Surplus.in(tx).findById(id).patch({ nextAttemptAt, failureReason, updatedAt: now() })
  await enqueue(tx, returnSurplus, { surplusId: id }, { startAfter: nextAttemptAt })
}
