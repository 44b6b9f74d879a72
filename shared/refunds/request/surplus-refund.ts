import { lockOrder } from '#shared/orders/order.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { IN_PROGRESS_REFUND_STATUSES } from '#shared/refunds/states.ts'

/** Locks the order of a surplus, then reads the surplus. */
export async function lockSurplus(tx: StoreTx, surplusId: string): Promise<Surplus> {
  const { orderId } = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  await lockOrder(tx, orderId)
  return Surplus.in(tx).findById(surplusId).throwIfNotFound()
}

/** Returns the refund of a surplus that is in progress; undefined if there is none. */
export const findSurplusRefundInProgress = (
  tx: StoreTx,
  surplusId: string,
): PromiseLike<Refund | undefined> =>
  Refund.in(tx)
    .where('surplus_id', surplusId)
    .whereIn('status', [...IN_PROGRESS_REFUND_STATUSES])
    .first()

/** Inserts a pending refund of all that is owed of a surplus. */
export const insertSurplusRefund = (
  tx: StoreTx,
  { id, orderId, owedMinor, currency }: Surplus,
  draft: Pick<Refund, 'paymentId' | 'gatewayAmountMinor' | 'requestedBy' | 'reason'>,
): PromiseLike<Refund> =>
  Refund.in(tx).insert({
    ...draft,
    orderId,
    origin: 'surplus',
    surplusId: id,
    surplusMinor: owedMinor,
    status: 'pending',
    amountMinor: owedMinor,
    currency,
    createdAt: now(),
  })
