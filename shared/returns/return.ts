import type { OrderActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyers/buyer.ts'
import { findOrder, type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import type { ReturnAction, ReturnStatus } from './states.ts'

/**
 * A return of goods of an order. Variables are called `rma` (return merchandise authorization), because `return` is a
 * keyword.
 */
export class Return extends StoreModel {
  static override tableName = 'returns'
  static override jsonAttributes = ['metadata']

  declare number: string
  declare orderId: string
  /** The order's customer; null for a guest. */
  declare customerId: string | null
  declare status: ReturnStatus
  declare action: ReturnAction
  /** The comment of the request. */
  declare comment: string | null
  /** The message of staff to the buyer with the approval or rejection. */
  declare message: string | null
  declare metadata: Metadata
  declare requestedBy: OrderActor
  /** The latest refund of its goods. */
  declare refundId: string | null
  /** The voucher that credits the buyer for the goods. */
  declare voucherId: string | null
  /** The order that sends the buyer the same goods again. */
  declare replacementOrderId: string | null
  declare approvedAt: Date | null
  declare receivedAt: Date | null
  /** The time at which sellable units were put back in stock. */
  declare restockedAt: Date | null
  /** The time at which it was completed, rejected or canceled. */
  declare closedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

export interface LockedReturn {
  rma: Return
  order: LockedOrder
}

/**
 * Locks the order of a return, because decisions about a return depend on the order's other returns and refunds. Throws
 * `resource.not_found` if the return does not exist.
 */
export async function lockReturn(tx: StoreTx, returnId: string): Promise<LockedReturn> {
  const { orderId } = await findReturn(tx, returnId)
  const order = await lockOrder(tx, orderId)
  return { order, rma: await findReturn(tx, returnId) }
}

/** Returns a return of the store. Throws `resource.not_found` if it does not exist. */
export async function findReturn(tx: StoreTx, returnId: string): Promise<Return> {
  return assertFound(await Return.in(tx).findById(returnId))
}

/** Returns a return of a buyer's own order. Throws `resource.not_found` if it does not exist or is another buyer's. */
export async function findReturnOfBuyer(tx: StoreTx, returnId: string, buyer: Buyer): Promise<Return> {
  const rma = await findReturn(tx, returnId)
  await findOrderOfBuyer(tx, rma.orderId, buyer)
  return rma
}

/** Whether a return has a replacement order that is not canceled. */
export async function isReplaced(tx: StoreTx, { replacementOrderId }: Return): Promise<boolean> {
  if (!replacementOrderId) return false
  const { status } = await findOrder(tx, replacementOrderId)
  return status !== 'canceled'
}
