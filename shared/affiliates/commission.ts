import { columnMappers, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The commission of an order through an affiliate's link. Amounts are in minor units of `currency`. */
export class Commission extends StoreModel {
  static override tableName = 'commissions'
  static override columnNameMappers = columnMappers({ basisPoints: 'percent' })

  declare affiliateId: string
  declare orderId: string
  /** The affiliate's rate when the order was completed. */
  declare basisPoints: number
  /** The price of the goods, net of discounts and without tax. */
  declare netMinor: bigint
  /** The price that the buyer paid for the goods, with tax, and its refunded part. */
  declare goodsMinor: bigint
  declare goodsRefundedMinor: bigint
  declare amountMinor: bigint
  /** The part that refunds have reversed. */
  declare reversedMinor: bigint
  declare currency: string
  /** The reason why the order earns nothing; null if it earns. */
  declare refusal: 'self_referral' | 'affiliate_deleted' | null
  declare payableAt: Date
  declare createdAt: Date
  declare updatedAt: Date
}

/** Returns the commission of an order, if it is decided. */
export const findCommission = (tx: StoreTx, orderId: string): PromiseLike<Commission | undefined> =>
  Commission.in(tx).findOne('order_id', orderId)

/** The actor that books entries of a commission. */
export const COMMISSION_ACTOR = 'system'
