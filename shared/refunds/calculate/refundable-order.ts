import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import type { ReplacedUnits } from '#shared/orders/replacements/count-replaced-units.ts'
import type { BoughtVoucher } from '#shared/vouchers/redemptions/withdraw-price.ts'
import type { Refund } from '../refund.ts'

/** An order with the facts that limit its refunds. Amounts in minor units. */
export interface RefundableOrder {
  order: Order
  /** By position. */
  lines: OrderItem[]
  /** Units that replacement orders send again. */
  replaced: ReplacedUnits
  /** The vouchers that it bought, locked. */
  vouchers: BoughtVoucher[]
  /** The exact price of the refunded units of each line, by its id. */
  refundedPrices: ReadonlyMap<string, bigint>
  /** The refunded part of shipping. */
  shippingRefundedMinor: bigint
  /** Its refunds that have not ended. */
  inProgress: Refund[]
  /** Their amount. */
  inProgressMinor: bigint
}

/** The captured money of an order that is neither refunded nor in progress. Below 0 when the gateway pays back more. */
export const leftMinor = ({ order, inProgressMinor }: RefundableOrder): bigint =>
  order.refundableMinor - inProgressMinor
