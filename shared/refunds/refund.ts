import type { OrderActor } from '#shared/orders/actor.ts'
import { type QueryBuilderType, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { FAILED_REFUND_STATUSES, isInProgress, type RefundOrigin, type RefundStatus } from './states.ts'

/**
 * Money paid back for an order. Its id is its idempotency key at the gateway. Amounts are in minor units. The README
 * defines each kind of amount.
 */
export class Refund extends StoreModel {
  static override tableName = 'refunds'

  declare orderId: string
  /** The payment that the gateway refunds; null if the money goes back by other means. */
  declare paymentId: string | null
  declare origin: RefundOrigin
  /** The surplus that the refund returns in full or in part; null if it refunds only the order. */
  declare surplusId: string | null
  /** The part that returns the surplus. While the refund is in progress, this is the expected part. */
  declare surplusMinor: bigint
  /** The lost dispute that it books. */
  declare disputeId: string | null
  declare status: RefundStatus
  declare amountMinor: bigint
  /**
   * The part that exceeds what was left of the surplus and the order. It is above 0 if the gateway paid back more than
   * our books allow. For a bounced refund it is a part of `keptMinor`.
   */
  declare excessMinor: bigint
  /** The part that the gateway pays. */
  declare gatewayAmountMinor: bigint
  /** `gatewayAmountMinor` less the amount that the gateway paid, in millionths of a minor unit. It can be negative. */
  declare roundedUpPpm: number
  /** The part that goes back to the voucher. The rest goes back by other means. */
  declare voucherAmountMinor: bigint
  /** The part that a new voucher pays: the whole amount of a credit, otherwise 0. */
  declare creditMinor: bigint
  /** The voucher's part if the refund failed after its success: it stays on the voucher. Otherwise 0. */
  declare keptMinor: bigint
  /** The amount less the exact prices of units and shipping, from rounding to the card's step. It can be negative. */
  declare roundingMinor: bigint
  /** The part for shipping. */
  declare shippingAmountMinor: bigint
  declare currency: string
  declare reason: string | null
  /** Whether the units are put back in stock when the refund succeeds. */
  declare restock: boolean
  /** Whether it refunds a return. Its units have shipped, so unshipped units stay reserved. */
  declare isReturn: boolean
  declare requestedBy: OrderActor
  /** The gateway's id of the refund, e.g. `re_…`. */
  declare gatewayReference: string | null
  declare failureReason: string | null
  declare firstSentAt: Date | null
  declare createdAt: Date
  declare settledAt: Date | null

  get hasFailed(): boolean {
    return FAILED_REFUND_STATUSES.includes(this.status)
  }

  get isInProgress(): boolean {
    return isInProgress(this.status)
  }

  /** The part that refunds the order: the amount less `surplusMinor`. */
  get beyondSurplusMinor(): bigint {
    return this.amountMinor - this.surplusMinor
  }
}

/** Units of an order line that a refund pays back. */
export class RefundItem extends StoreModel {
  static override tableName = 'refund_items'

  declare refundId: string
  declare orderItemId: string
  declare quantity: number
  /** The exact price of the units in minor units, before a fee and before rounding to the card's step. */
  declare amountMinor: bigint
  /** The units that had not shipped when the refund succeeded. They no longer ship. */
  declare withdrawnQuantity: number
  /** The shipped units that the refund has put back in stock. */
  declare restockedQuantity: number
}

/** Returns a refund of the store. Throws `resource.not_found` if it does not exist. */
export const findRefund = async (tx: StoreTx, refundId: string): Promise<Refund> =>
  assertFound(await Refund.in(tx).findById(refundId))

/**
 * SQL: whether the refund with this alias has paid something back. The part that a bounced refund left on a voucher
 * counts.
 */
export const isPaidBackSql = (refund: string): string =>
  `(${refund}.status = 'succeeded' or ${refund}.kept_minor > 0)`

/** Returns a condition for refunds that have paid something back. */
export const isPaidBack = (refunds: QueryBuilderType<Refund>): unknown =>
  refunds.whereRaw(isPaidBackSql('refunds'))
