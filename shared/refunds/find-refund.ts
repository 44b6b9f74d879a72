import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Refund } from './refund.ts'

/** A refund of the store. Unknown: 404. */
export async function findRefund(tx: StoreTx, refundId: string): Promise<Refund> {
  const refund = await Refund.in(tx).findById(refundId)
  if (!refund) throw CommonErrors.notFound()
  return refund
}
