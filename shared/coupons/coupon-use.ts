import { StoreModel } from '#shared/platform/db/model.ts'

/** That an order used a coupon. A use that was given back stays on record. */
export class CouponUse extends StoreModel {
  static override tableName = 'coupon_uses'

  declare couponId: string
  declare orderId: string
  /** Null: a guest's. */
  declare customerId: string | null
  /** SHA-256 of the account's address, else the order's, folded: enough to know a buyer again. */
  declare emailHash: Buffer
  declare discountMinor: bigint
  declare currency: string
  declare createdAt: Date
  declare givenBackAt: Date | null
}
