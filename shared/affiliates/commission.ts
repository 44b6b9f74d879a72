import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The commission of an order that an affiliate's link led to. Amounts in minor units of `currency`. */
export class Commission extends StoreModel {
  static override tableName = 'commissions'

  declare affiliateId: string
  declare orderId: string
  /** Hundredths of a percent, as when the order was completed. */
  declare percent: number
  /** The price of the goods, net of discounts and without tax. */
  declare netMinor: bigint
  /** The price that the buyer paid for the goods, with tax, and its refunded part. */
  declare goodsMinor: bigint
  declare goodsRefundedMinor: bigint
  declare amountMinor: bigint
  /** The part that refunds have reversed. */
  declare reversedMinor: bigint
  declare currency: string
  /** Why the order earns nothing; null when it earns. */
  declare refusal: 'self_referral' | 'affiliate_deleted' | null
  declare payableAt: Date
  declare createdAt: Date
  declare updatedAt: Date
}

/** The commission of an order, if it was decided. */
export const findCommission = (tx: StoreTx, orderId: string): PromiseLike<Commission | undefined> =>
  Commission.in(tx).findOne('order_id', orderId)

/** The actor that books entries of a commission. */
export const COMMISSION_ACTOR = 'system'
