import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { countReturnAttempt, Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RefundErrors } from '../errors.ts'
import { sendRefund } from '../jobs.ts'
import { Refund } from '../refund.ts'
import { settleRefund } from '../settle/settle-refund.ts'
import { IN_PROGRESS_STATUSES } from '../states.ts'
import type { DisputePort } from './request-staff-refund.ts'

/**
 * Starts the refund of what is owed of a surplus. While one is in progress, and when nothing is owed, it changes
 * nothing: one surplus is returned once, however many jobs ask for it.
 */
export async function returnSurplus(tx: StoreTx, surplusId: string): Promise<void> {
  const surplus = await lockSurplus(tx, surplusId)
  if ((await findReturnInProgress(tx, surplusId)) || surplus.owedMinor === 0n) return
  const { paymentId, owedMinor } = surplus
  const atGateway = { paymentId, gatewayAmountMinor: owedMinor, requestedBy: 'system' } as const
  const refund = await insertReturn(tx, surplus, { ...atGateway, reason: 'Paid too much' })
  await countReturnAttempt(tx, surplus)
  await enqueue(tx, sendRefund, { refundId: refund.id })
}

/** A surplus that staff have returned by other means, and how. */
export interface SurplusSettlement {
  orderId: string
  surplusId: string
  reason: string
}

/**
 * Records that staff have paid the buyer what is owed of a surplus by other means, e.g. because the card was closed.
 * Throws 404, 409 `refund.in_progress` while the gateway may still return it, `order.disputed` while its payment is
 * disputed, and `order.nothing_to_refund` when nothing is owed.
 */
export async function settleSurplus(
  tx: StoreTx,
  { orderId, surplusId, reason }: SurplusSettlement,
  { actor, disputes }: { actor: OrderActor; disputes: DisputePort },
): Promise<void> {
  const found = await Surplus.in(tx).findOne({ id: surplusId, order_id: orderId })
  if (!found) throw CommonErrors.notFound()
  const surplus = await lockSurplus(tx, surplusId)
  // A dispute is recorded under the same lock.
  await disputes.assertNoOpenDispute(tx, orderId, surplus.paymentId)
  if (await findReturnInProgress(tx, surplusId)) throw RefundErrors.inProgress()
  if (surplus.owedMinor === 0n) throw RefundErrors.nothingToRefund()
  const elsewhere = { paymentId: null, gatewayAmountMinor: 0n, requestedBy: actor, reason }
  const refund = await insertReturn(tx, surplus, elsewhere)
  await settleRefund(tx, refund.id, { status: 'succeeded', reference: null, failureReason: null })
}

async function lockSurplus(tx: StoreTx, surplusId: string): Promise<Surplus> {
  const { orderId } = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  await lockOrder(tx, orderId)
  return Surplus.in(tx).findById(surplusId).throwIfNotFound()
}

const findReturnInProgress = (tx: StoreTx, surplusId: string): PromiseLike<Refund | undefined> =>
  Refund.in(tx)
    .where('surplus_id', surplusId)
    .whereIn('status', [...IN_PROGRESS_STATUSES])
    .first()

const insertReturn = (
  tx: StoreTx,
  { id, orderId, owedMinor, currency }: Surplus,
  means: Pick<Refund, 'paymentId' | 'gatewayAmountMinor' | 'requestedBy' | 'reason'>,
): PromiseLike<Refund> =>
  Refund.in(tx).insert({
    ...means,
    orderId,
    origin: 'surplus',
    surplusId: id,
    surplusMinor: owedMinor,
    status: 'pending',
    amountMinor: owedMinor,
    currency,
    createdAt: now(),
  })
