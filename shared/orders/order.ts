import type { PostalAddress } from '#shared/geo/address.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { TaxPart } from '#shared/tax/tax-on.ts'
import type { OrderPaymentStatus, OrderStatus } from './states.ts'

/** What one tax rate came to. JSON has no bigint: the minor units are a number, which is exact (see `Money`). */
export interface KeptTax extends Omit<TaxPart, 'taxMinor'> {
  taxMinor: number
}

/** What was bought, by whom, for how much. Amounts in minor units of `currency`. */
export class Order extends StoreModel {
  static override tableName = 'orders'
  static override jsonAttributes = ['shippingAddress', 'billingAddress', 'shippingMethod', 'taxes']

  declare number: string
  declare customerId: string | null
  /** SHA-256 of what lets a guest see and pay the order; null for a customer, who signs in. */
  declare accessTokenHash: Buffer | null
  declare status: OrderStatus
  declare currency: string
  declare language: string
  declare email: string
  declare firstname: string
  declare lastname: string
  declare telephone: string
  declare shippingAddress: PostalAddress
  declare billingAddress: PostalAddress
  /** Null where nothing is shipped. */
  declare shippingMethod: { id: string; code: string; name: string } | null
  declare paymentMethod: string
  /** Of the coupon that was used, as it was then. */
  declare couponCode: string | null
  declare note: string | null
  declare subtotalMinor: bigint
  declare discountMinor: bigint
  declare shippingMinor: bigint
  /** The part of the tax that is on shipping. */
  declare shippingTaxMinor: bigint
  declare taxMinor: bigint
  /** What each rate came to: the parts of the tax. */
  declare taxes: KeptTax[]
  declare totalMinor: bigint
  /** What of the total a gift voucher pays. */
  declare voucherMinor: bigint
  declare amountCapturedMinor: bigint
  declare amountRefundedMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
  declare paidAt: Date | null
  declare shippedAt: Date | null
  /** While it waits: when its stock, its coupon and its part of a voucher are let go of; null: not by itself. */
  declare holdUntil: Date | null
  /** While it waits: when it is given up; null: not by itself. */
  declare expiresAt: Date | null

  /** Derived, never stored. */
  get fulfillmentStatus(): 'unfulfilled' | 'fulfilled' {
    return this.shippedAt ? 'fulfilled' : 'unfulfilled'
  }

  /** What is to be paid with money: the total, less what a gift voucher pays. */
  get dueMinor(): bigint {
    return this.totalMinor - this.voucherMinor
  }

  /** Captured money that has not gone back. */
  get refundableMinor(): bigint {
    return this.amountCapturedMinor - this.amountRefundedMinor
  }

  /** Derived, never stored (decisions, section 7). */
  get paymentStatus(): OrderPaymentStatus {
    if (this.amountCapturedMinor === 0n) return this.totalMinor === 0n ? 'paid' : 'unpaid'
    if (this.amountRefundedMinor === 0n) return 'paid'
    return this.refundableMinor === 0n ? 'refunded' : 'partially_refunded'
  }
}

/** SQL: whether an order exists and is not canceled, by expressions of its store and its id. */
export const isNotCanceledSql = (storeId: string, orderId: string): string =>
  `exists (select from orders o where o.store_id = ${storeId} and o.id = ${orderId} and o.status <> 'canceled')`
