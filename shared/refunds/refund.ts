import type { Actor } from '#shared/orders/actor.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { isUnderWay, type RefundStatus } from './states.ts'

/** Money on its way back to a buyer. Its id is its idempotency key at the gateway. Amounts in minor units. */
export class Refund extends StoreModel {
  static override tableName = 'refunds'

  declare orderId: string
  /** The payment that the gateway takes it from; null when the money goes back by other means. */
  declare paymentId: string | null
  declare status: RefundStatus
  declare amountMinor: bigint
  /** How much of it the gateway moves. */
  declare gatewayAmountMinor: bigint
  /** How much of it goes back on the voucher that paid; the rest goes back by other means. */
  declare voucherAmountMinor: bigint
  /** How much of the amount is for shipping. */
  declare shippingAmountMinor: bigint
  declare currency: string
  declare reason: string | null
  /** Whether the units go back to stock when it succeeds. */
  declare restock: boolean
  declare requestedBy: Actor
  /** The gateway's own name for it, e.g. `re_…`. */
  declare gatewayReference: string | null
  declare failureReason: string | null
  declare firstSentAt: Date | null
  declare createdAt: Date
  declare settledAt: Date | null

  get isUnderWay(): boolean {
    return isUnderWay(this.status)
  }
}
