import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'

export const COUPON_TYPES = ['percent', 'fixed'] as const
export type CouponType = (typeof COUPON_TYPES)[number]

/** The value and the conditions of a coupon. Amounts in minor units. */
export interface CouponRules {
  code: string
  name: string | null
  type: CouponType
  /** Hundredths of a percent, or minor units. */
  value: bigint
  /** The minimum price of all goods of the cart, before the discount. */
  minTotalMinor: bigint
  startsAt: Date | null
  /** Exclusive. */
  endsAt: Date | null
  /** Null: unlimited. */
  usesTotal: number | null
  usesPerCustomer: number | null
  loggedInOnly: boolean
  freeShipping: boolean
  /** Without products and categories it matches all goods. Deleted ones match nothing. */
  productIds: string[]
  /** With their descendants. */
  categoryIds: string[]
  isActive: boolean
}

/** A deactivated coupon keeps its code and can be activated again. */
export class Coupon extends StoreModel implements CouponRules {
  static override tableName = 'coupons'
  static override jsonAttributes = ['metadata']

  declare code: string
  /** The form in which codes are compared. */
  declare codeFolded: string
  declare name: string | null
  declare description: string | null
  declare type: CouponType
  declare value: bigint
  declare minTotalMinor: bigint
  declare startsAt: Date | null
  declare endsAt: Date | null
  declare usesTotal: number | null
  declare usesPerCustomer: number | null
  /** Without canceled and failed orders. A use does not change `updatedAt`, nor the entity tag. */
  declare usesCount: number
  declare loggedInOnly: boolean
  declare freeShipping: boolean
  declare productIds: string[]
  declare categoryIds: string[]
  declare isActive: boolean
  declare metadata: Metadata
  declare createdAt: Date
  declare updatedAt: Date
}

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
