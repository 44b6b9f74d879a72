import { StoreModel } from '#shared/platform/db/model.ts'

export const COUPON_TYPES = ['percent', 'fixed'] as const
export type CouponType = (typeof COUPON_TYPES)[number]

/** What a coupon gives, and on which conditions (decisions, section 6). Amounts in minor units. */
export interface CouponTerms {
  code: string
  /** For people: what it is called. */
  name: string | null
  type: CouponType
  /** Hundredths of a percent, or minor units. */
  value: bigint
  /** What the goods of the whole cart must come to, before the discount. */
  minTotalMinor: bigint
  startsAt: Date | null
  /** It ends before this moment. */
  endsAt: Date | null
  /** Null: as often as one likes. */
  usesTotal: number | null
  usesPerCustomer: number | null
  loggedInOnly: boolean
  freeShipping: boolean
  /** With neither products nor categories it is for all goods. What is gone meanwhile matches nothing. */
  productIds: string[]
  /** Their descendants count in. */
  categoryIds: string[]
  isActive: boolean
}

/** A coupon that staff made. One that was deactivated keeps its code and may be activated again. */
export class Coupon extends StoreModel implements CouponTerms {
  static override tableName = 'coupons'

  declare code: string
  /** What codes are told apart by. */
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
  /** By orders that stand. No change of the terms, so not of the tag. */
  declare usesCount: number
  declare loggedInOnly: boolean
  declare freeShipping: boolean
  declare productIds: string[]
  declare categoryIds: string[]
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
