import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
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
  /** In hundredths of a percent, or in minor units. */
  declare value: bigint
  /** The minimum price of all goods of the cart, before the discount. */
  declare minTotalMinor: bigint
  declare startsAt: Date | null
  /** The coupon is valid before this time. */
  declare endsAt: Date | null
  /** Null if unlimited. */
  declare usesTotal: number | null
  declare usesPerCustomer: number | null
  /** The number of uses without canceled and failed orders. A use changes neither `updatedAt` nor the entity tag. */
  declare usesCount: number
  declare loggedInOnly: boolean
  declare freeShipping: boolean
  /** A coupon without products and categories matches all goods. A deleted product or category matches nothing. */
  declare productIds: string[]
  /** Their descendants match too. */
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

/** Returns a coupon of the store, active or not. Throws `resource.not_found`. */
export async function findCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  return assertFound(await Coupon.in(tx).findById(id))
}

/** Reads and locks a coupon. Throws `resource.not_found`. */
export async function lockCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  return assertFound(await Coupon.in(tx).findById(id).forNoKeyUpdate())
}
