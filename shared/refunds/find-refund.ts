import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Refund } from './refund.ts'
import { UNDER_WAY } from './states.ts'

/** A refund of the store. Unknown: 404. */
export async function findRefund(tx: StoreTx, refundId: string): Promise<Refund> {
  const refund = await Refund.in(tx).findById(refundId)
  if (!refund) throw CommonErrors.notFound()
  return refund
}

/** The refund of an order that is under way, if there is one. */
export const findUnderWay = (tx: StoreTx, orderId: string): PromiseLike<Refund | undefined> =>
  Refund.in(tx)
    .where('order_id', orderId)
    .whereIn('status', [...UNDER_WAY])
    .first()
