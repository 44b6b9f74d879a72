import { randomBytes } from 'node:crypto'
import type { PostalAddress } from '#shared/geo/address.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import type { TaxPart } from '#shared/tax/tax-calculator.ts'
import { ENDED_ORDER_STATUSES, type OrderPaymentStatus, type OrderStatus } from './states.ts'

/** The tax of one rate. JSON has no bigint, so the minor units are numbers. They are exact (see `Money`). */
export interface OrderTax extends Omit<TaxPart, 'taxMinor' | 'netMinor'> {
  taxMinor: number
  netMinor: number
}

/** A purchase. Amounts are in minor units of `currency`. The README defines each kind of amount. */
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
  /**
   * The SHA-256 of each access token, by which a guest reads, pays and cancels the order. Empty for a customer, who
   * signs in.
   */
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
  /** Null if nothing is shipped. */
  declare shippingMethod: { id: string; code: string; name: string } | null
  declare paymentMethod: string
  /** The subscription that the order is a charge of. An order that started several subscriptions has the first one. */
  declare subscriptionId: string | null
  /** The number of the charge, from 1. */
  declare chargeNo: number | null
  /** The campaign whose link led to the order. It never changes, and later charges of a subscription have none. */
  declare campaignId: string | null
  /** The affiliate whose link led to the order. It never changes, and later charges of a subscription have none. */
  declare affiliateId: string | null
  /** The code of the coupon at the time of the order. */
  declare couponCode: string | null
  declare note: string | null
  declare metadata: Metadata
  /** Whether the prices of lines, discount and shipping include tax. Otherwise the tax is added to them. */
  declare pricesIncludeTax: boolean
  declare subtotalMinor: bigint
  declare discountMinor: bigint
  declare shippingMinor: bigint
  /** The tax class of shipping; null if nothing is shipped. */
  declare shippingTaxClassId: string | null
  /** The part of the tax on shipping. */
  declare shippingTaxMinor: bigint
  declare taxMinor: bigint
  /** The parts of the tax by rate. */
  declare taxes: OrderTax[]
  /** The total includes this rounding of the card payment to the gateway's smallest step. It can be negative. */
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
  /** The time at which an unpaid order releases its stock, coupon and voucher balance; null if it keeps them. */
  declare holdUntil: Date | null
  /** The time at which an unpaid order fails and its payments are closed; null if it does not expire. */
  declare expiresAt: Date | null

  /** Whether a payment would make the order processing: it is neither paid nor canceled. */
  get awaitsPayment(): boolean {
    return this.status === 'pending' || this.status === 'failed'
  }

  /** Whether money is due for it: nothing is paid, and it is neither canceled nor refunded. */
  get needsPayment(): boolean {
    return this.amountCapturedMinor === 0n && this.dueMinor > 0n && !ENDED_ORDER_STATUSES.has(this.status)
  }

  /** The amount to pay with money: the total less the voucher's part. */
  get dueMinor(): bigint {
    return this.totalMinor - this.voucherMinor
  }

  /** The price that the buyer pays for shipping, with tax. */
  get shippingTotalMinor(): bigint {
    return this.shippingMinor + (this.pricesIncludeTax ? 0n : this.shippingTaxMinor)
  }

  /** The captured amount less the refunded amount. */
  get refundableMinor(): bigint {
    return this.amountCapturedMinor - this.amountRefundedMinor
  }

  /** Whether a canceled or refunded order still has captured money, e.g. because a bank returned a refund. */
  get isRefundOwed(): boolean {
    return ENDED_ORDER_STATUSES.has(this.status) && this.refundableMinor > 0n
  }

  /** Derived from the captured and refunded amounts, never stored. */
  get paymentStatus(): OrderPaymentStatus {
    if (this.amountCapturedMinor === 0n) return this.totalMinor === 0n ? 'paid' : 'unpaid'
    if (this.amountRefundedMinor === 0n) return 'paid'
    return this.refundableMinor === 0n ? 'refunded' : 'partially_refunded'
  }
}

/** Returns an order of the store. Throws `resource.not_found` if it does not exist. */
export async function findOrder(tx: StoreTx, orderId: string): Promise<Order> {
  return assertFound(await Order.in(tx).findById(orderId))
}

declare const locked: unique symbol

/** An order that no other transaction can change: this one has locked it by `lockOrder`, or has just placed it. */
export type LockedOrder = Order & { [locked]: true }

/** Locks an order until the end of the transaction. Throws `resource.not_found` if it does not exist. */
export async function lockOrder(tx: StoreTx, orderId: string): Promise<LockedOrder> {
  const order = assertFound(await Order.in(tx).findById(orderId).forNoKeyUpdate())
  return order as LockedOrder
}

/** Crockford's base 32: no letter looks like a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Returns a new order number, for example `7K3M9-QXZ4T`. It is random. All checkouts of a store would wait for the row
 * of a counter, and a counter would show the store's sales to anyone.
 */
export function newOrderNumber(random: Uint8Array = randomBytes(10)): string {
  const letters = [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
