import type { Actor } from '#shared/orders/actor.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { ReturnAction, ReturnStatus } from './states.ts'

/** Goods of an order on their way back. Variables call it `rma`, the trade's short name, as `return` is taken. */
export class Return extends StoreModel {
  static override tableName = 'returns'

  /** What buyer and staff call it. */
  declare number: string
  declare orderId: string
  /** The order's customer; null for a guest's. */
  declare customerId: string | null
  declare status: ReturnStatus
  declare action: ReturnAction
  /** What whoever asked for it has to say. */
  declare comment: string | null
  /** What staff told the buyer when they approved or rejected it. */
  declare message: string | null
  declare requestedBy: Actor
  /** The latest refund of its goods. */
  declare refundId: string | null
  /** The voucher that the buyer got for the goods. */
  declare voucherId: string | null
  /** The order by which the buyer gets the same goods anew. */
  declare replacementOrderId: string | null
  declare approvedAt: Date | null
  declare receivedAt: Date | null
  /** When the units to be sold again were put back on the shelf. */
  declare restockedAt: Date | null
  /** When it was completed, rejected or canceled. */
  declare closedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}
