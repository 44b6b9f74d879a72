import type { OrderActor } from '#shared/orders/actor.ts'
import { Order } from '#shared/orders/order.ts'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { type QueryBuilderType, StoreModel } from '#shared/platform/db/model.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { isInProgress, type RefundOrigin, type RefundStatus } from './states.ts'

/**
 * Money paid back for an order. Its id is its idempotency key at the gateway. Amounts in minor units; the README
 * defines the words of money.
 */
export class Refund extends StoreModel {
  static override tableName = 'refunds'

  declare orderId: string
  /** The payment that the gateway refunds; null when the money goes back by other means. */
  declare paymentId: string | null
  declare origin: RefundOrigin
  /** The surplus that it returns, wholly or in part; null when it refunds only the order. */
  declare surplusId: string | null
  /** The part that returns the surplus. While the refund is in progress: what it will return. */
  declare surplusMinor: bigint
  /** The lost dispute that it books. */
  declare disputeId: string | null
  declare status: RefundStatus
  declare amountMinor: bigint
  /**
   * The part beyond what the surplus and the order had left; of a bounced refund, of what it kept. It is above 0 when
   * the gateway pays back more than our books allow.
   */
  declare excessMinor: bigint
  /** The part that the gateway pays. */
  declare gatewayAmountMinor: bigint
  /** What that part exceeds the amount that the gateway paid, in millionths of a minor unit. May be negative. */
  declare roundedUpPpm: number
  /** The part that goes back to the voucher that paid; the rest goes back by other means. */
  declare voucherAmountMinor: bigint
  /** That part, when the refund failed after it had succeeded: it stays on the voucher. Else 0. */
  declare keptMinor: bigint
  /**
   * The amount less the exact prices of the units and shipping: rounding to the steps of the gateway. May be negative.
   */
  declare roundingMinor: bigint
  /** The part that is for shipping. */
  declare shippingAmountMinor: bigint
  declare currency: string
  declare reason: string | null
  /** Return the units to stock when the refund succeeds. */
  declare restock: boolean
  /** Of a return: its units were shipped. */
  declare isReturn: boolean
  declare requestedBy: OrderActor
  /** The gateway's id of the refund, e.g. `re_…`. */
  declare gatewayReference: string | null
  declare failureReason: string | null
  declare firstSentAt: Date | null
  declare createdAt: Date
  declare settledAt: Date | null

  get isInProgress(): boolean {
    return isInProgress(this.status)
  }

  /** The part that returns no surplus: it refunds the order. */
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
  /** Their exact price, in minor units: before a fee, and before rounding to the steps of the gateway. */
  declare amountMinor: bigint
  /** The units that had not shipped when the refund succeeded: they ship no more. */
  declare withdrawnQuantity: number
  /** The shipped units that the refund has put back on sale. */
  declare restockedQuantity: number
}

/** A refund of the store. Unknown: 404. */
export async function findRefund(tx: StoreTx, refundId: string): Promise<Refund> {
  const refund = await Refund.in(tx).findById(refundId)
  if (!refund) throw CommonErrors.notFound()
  return refund
}

/** SQL: a refund, under an alias, has paid something back. What a bounced one left on a voucher counts. */
export const isPaidBackSql = (refund: string): string =>
  `(${refund}.status = 'succeeded' or ${refund}.kept_minor > 0)`

/** A condition for refunds that have paid something back. */
export const isPaidBack = (refunds: QueryBuilderType<Refund>): unknown =>
  refunds.whereRaw(isPaidBackSql('refunds'))

export const REFUNDS = new List({
  sorts: { created_at: 'created_at', amount: 'amount_minor' },
  order: '-created_at',
  searches: "Part of the reason or the gateway's id",
  text: ['reason', 'gateway_reference'],
})

/** One page of an order's refunds, by default newest first, and their number. Unknown order: 404. */
export async function listRefunds(tx: StoreTx, orderId: string, filter: ListFilter): Promise<Page<Refund>> {
  if (!(await Order.in(tx).findById(orderId).select('id'))) throw CommonErrors.notFound()
  return REFUNDS.page(Refund.in(tx).where('order_id', orderId), filter)
}

/**
 * Waits until a refund is settled, and returns it; after `timeoutMs` it is returned as it is. Call it outside a
 * transaction.
 */
export const awaitRefund = (storeId: string, refundId: string, timeoutMs: number): Promise<Refund> =>
  waitUntilSettled(
    refundId,
    timeoutMs,
    () => inStore(storeId, (tx) => findRefund(tx, refundId)),
    ({ isInProgress }) => !isInProgress,
  )
