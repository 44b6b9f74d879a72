import { randomBytes } from 'node:crypto'
import type { PostalAddress } from '#shared/geo/address.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import type { TaxPart } from '#shared/tax/calculate-tax.ts'
import type { OrderPaymentStatus, OrderStatus } from './states.ts'

/** The tax of one rate. JSON has no bigint: the minor units are numbers, which are exact (see `Money`). */
export interface OrderTax extends Omit<TaxPart, 'taxMinor' | 'netMinor'> {
  taxMinor: number
  netMinor: number
}

/** A purchase. Amounts in minor units of `currency`; the README defines the words of money. */
export class Order extends StoreModel {
  static override tableName = 'orders'
  static override jsonAttributes = [
    'shippingAddress',
    'billingAddress',
    'shippingMethod',
    'taxes',
    'metadata',
  ]

  declare number: string
  declare customerId: string | null
  /** SHA-256 of each token by which a guest reads, pays and cancels the order. None for a customer, who signs in. */
  declare accessTokenHashes: Buffer[]
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
  /** The subscription that the order is a charge of; of several that it started, the first one. */
  declare subscriptionId: string | null
  /** The number of the charge, from 1. */
  declare chargeNo: number | null
  /** The campaign whose link led to the order. It never changes, and later charges of a subscription have none. */
  declare campaignId: string | null
  /** The affiliate whose link led to the order, likewise. */
  declare affiliateId: string | null
  /** The code of the coupon at the time of the order. */
  declare couponCode: string | null
  declare note: string | null
  declare metadata: Metadata
  /** The prices of the lines, the discount and shipping contain the tax. Else the tax is added to them. */
  declare pricesIncludeTax: boolean
  declare subtotalMinor: bigint
  declare discountMinor: bigint
  declare shippingMinor: bigint
  /** The tax class of shipping; null where nothing is shipped. */
  declare shippingTaxClassId: string | null
  /** The part of the tax that is on shipping. */
  declare shippingTaxMinor: bigint
  declare taxMinor: bigint
  /** The parts of the tax by rate. */
  declare taxes: OrderTax[]
  /** The rounding of the part that a card pays to the steps of the gateway; may be negative. Part of the total. */
  declare roundingMinor: bigint
  declare totalMinor: bigint
  /** The part of the total that a gift voucher pays. */
  declare voucherMinor: bigint
  declare amountCapturedMinor: bigint
  declare amountRefundedMinor: bigint
  declare createdAt: Date
  declare updatedAt: Date
  declare paidAt: Date | null
  declare shippedAt: Date | null
  /** The time at which a pending order releases its stock, coupon and voucher balance; null: it keeps them. */
  declare holdUntil: Date | null
  /** The time at which a pending order fails unless it is paid; null: it does not expire. */
  declare expiresAt: Date | null

  /** It is not paid and not canceled: a payment makes it processing. */
  get awaitsPayment(): boolean {
    return this.status === 'pending' || this.status === 'failed'
  }

  /** The amount to pay with money: the total less the voucher's part. */
  get dueMinor(): bigint {
    return this.totalMinor - this.voucherMinor
  }

  /** The price that the buyer pays for shipping: with its tax. */
  get shippingTotalMinor(): bigint {
    return this.shippingMinor + (this.pricesIncludeTax ? 0n : this.shippingTaxMinor)
  }

  /** Captured money that was not refunded. */
  get refundableMinor(): bigint {
    return this.amountCapturedMinor - this.amountRefundedMinor
  }

  /**
   * Whether the order ended with captured money that is still to be refunded, e.g. because a bank returned a refund.
   */
  get isRefundOwed(): boolean {
    return (this.status === 'refunded' || this.status === 'canceled') && this.refundableMinor > 0n
  }

  /** Derived from the captured and refunded amounts, never stored. */
  get paymentStatus(): OrderPaymentStatus {
    if (this.amountCapturedMinor === 0n) return this.totalMinor === 0n ? 'paid' : 'unpaid'
    if (this.amountRefundedMinor === 0n) return 'paid'
    return this.refundableMinor === 0n ? 'refunded' : 'partially_refunded'
  }
}

/** An order of the store. Unknown: 404. */
export async function findOrder(tx: StoreTx, orderId: string): Promise<Order> {
  const order = await Order.in(tx).findById(orderId)
  if (!order) throw CommonErrors.notFound()
  return order
}

declare const locked: unique symbol

/** An order that the transaction has locked, so that what it says stays true: by `lockOrder`, or by placing it. */
export type LockedOrder = Order & { [locked]: true }

/** Locks an order until the end of the transaction. Unknown: 404. */
export async function lockOrder(tx: StoreTx, orderId: string): Promise<LockedOrder> {
  const order = await Order.in(tx).findById(orderId).forNoKeyUpdate()
  if (!order) throw CommonErrors.notFound()
  return order as LockedOrder
}

/** Crockford's base 32: no letter looks like a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new order number, for example `7K3M9-QXZ4T`. It is random: a counter would be one row that all checkouts of a
 * store wait for, and would show the store's sales to anyone.
 */
export function newOrderNumber(random: Uint8Array = randomBytes(10)): string {
  const letters = [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
