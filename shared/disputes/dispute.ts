import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DisputeErrors } from './errors.ts'
import { type DisputeStatus, isOpen, OPEN_DISPUTE_STATUSES } from './states.ts'

/** A buyer's objection to a payment at the bank (chargeback). Amounts are in minor units. */
export class Dispute extends StoreModel {
  static override tableName = 'disputes'

  declare orderId: string
  declare paymentId: string
  declare status: DisputeStatus
  /** The gateway's reason, e.g. `product_not_received`. */
  declare reason: string
  declare amountMinor: bigint
  declare currency: string
  /** The gateway's id of the dispute, e.g. `dp_…`. */
  declare gatewayReference: string
  /** The time until which the gateway accepts evidence. */
  declare respondBy: Date | null
  declare openedAt: Date
  declare closedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date

  get isOpen(): boolean {
    return isOpen(this.status)
  }
}

/** Returns the disputes of an order, oldest first. */
export const findDisputes = (tx: StoreTx, orderId: string): PromiseLike<Dispute[]> =>
  Dispute.in(tx).where('order_id', orderId).orderBy('id')

const findOpenDispute = (
  tx: StoreTx,
  orderId: string,
  paymentId?: string,
): PromiseLike<Dispute | undefined> =>
  Dispute.in(tx)
    .where({ order_id: orderId, ...(paymentId ? { payment_id: paymentId } : {}) })
    .whereIn('status', [...OPEN_DISPUTE_STATUSES])
    .first()

/** SQL: the ids of the current store's orders with an open dispute. */
export const OPEN_DISPUTE_ORDERS = `
  select order_id from disputes
  where store_id = ${CURRENT_STORE} and status in (${OPEN_DISPUTE_STATUSES.map((status) => `'${status}'`).join(', ')})`

/** Whether a dispute of an order is open. */
export const hasOpenDispute = async (tx: StoreTx, orderId: string): Promise<boolean> =>
  (await findOpenDispute(tx, orderId)) !== undefined

/**
 * Throws `order.disputed` while a dispute of an order, or of `paymentId`, is open. Goods that are sent and money that
 * is paid now may be lost with the disputed money.
 */
export async function assertNoOpenDispute(tx: StoreTx, orderId: string, paymentId?: string): Promise<void> {
  const open = await findOpenDispute(tx, orderId, paymentId)
  if (open) throw DisputeErrors.orderDisputed({ reason: open.reason })
}
