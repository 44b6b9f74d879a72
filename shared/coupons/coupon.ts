import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'

export const COUPON_TYPES = ['percent', 'fixed'] as const
export type CouponType = (typeof COUPON_TYPES)[number]

/** A deactivated coupon keeps its code and can be activated again. */
export class Coupon extends StoreModel {
  static override tableName = 'coupons'
  static override jsonAttributes = ['metadata']

  declare code: string
  /** The form in which codes are compared. */
  declare codeFolded: string
  declare name: string | null
  declare description: string | null
  declare type: CouponType
  /** Hundredths of a percent, or minor units. */
  declare value: bigint
  /** The minimum price of all goods of the cart, before the discount. */
  declare minTotalMinor: bigint
  declare startsAt: Date | null
  /** Exclusive. */
  declare endsAt: Date | null
  /** Null: unlimited. */
  declare usesTotal: number | null
  declare usesPerCustomer: number | null
  /** Without canceled and failed orders. A use does not change `updatedAt`, nor the entity tag. */
  declare usesCount: number
  declare loggedInOnly: boolean
  declare freeShipping: boolean
  /** Without products and categories it matches all goods. Deleted ones match nothing. */
  declare productIds: string[]
  /** With their descendants. */
  declare categoryIds: string[]
  declare isActive: boolean
  declare metadata: Metadata
  declare createdAt: Date
  declare updatedAt: Date
}

/** The value and the conditions of a coupon. */
export type CouponRules = Pick<
  Coupon,
  | 'code'
  | 'name'
  | 'type'
  | 'value'
  | 'minTotalMinor'
  | 'startsAt'
  | 'endsAt'
  | 'usesTotal'
  | 'usesPerCustomer'
  | 'loggedInOnly'
  | 'freeShipping'
  | 'productIds'
  | 'categoryIds'
  | 'isActive'
>

/** A coupon of the store, active or not. Throws `resource.not_found`. */
export async function findCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  const coupon = await Coupon.in(tx).findById(id)
  if (!coupon) throw CommonErrors.notFound()
  return coupon
}

/** Reads and locks a coupon. Throws `resource.not_found`. */
export async function lockCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  const coupon = await Coupon.in(tx).findById(id).forNoKeyUpdate()
  if (!coupon) throw CommonErrors.notFound()
  return coupon
}
