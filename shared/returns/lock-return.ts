import { lockOrder, type Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Return } from './return.ts'

export interface LockedReturn {
  rma: Return
  order: Order
}

/**
 * Reads a return with its order and keeps others from changing either. The order's lock is the one lock: what is
 * decided about a return depends on the order's other returns and its refunds. Unknown, or not this customer's: 404.
 */
export async function lockReturn(
  tx: StoreTx,
  returnId: string,
  { customerId }: { customerId?: string } = {},
): Promise<LockedReturn> {
  const { orderId } = await findReturn(tx, returnId, { customerId })
  const order = await lockOrder(tx, orderId)
  return { order, rma: await findReturn(tx, returnId) }
}

/** A return of the store, or of a customer alone. Unknown, or not theirs: 404. */
export async function findReturn(
  tx: StoreTx,
  returnId: string,
  { customerId }: { customerId?: string | undefined } = {},
): Promise<Return> {
  const rma = await Return.in(tx).findById(returnId)
  if (!rma || (customerId && rma.customerId !== customerId)) throw CommonErrors.notFound()
  return rma
}
