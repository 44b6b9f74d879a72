import type { Static } from 'typebox'
import type { CouponDraft, NewCoupon } from '#shared/coupons/create-coupon.ts'
import { toMinor } from '#shared/platform/money.ts'
import { toDateIfGiven, withoutAbsent } from '../platform/read-fields.ts'
import type { ChangeCouponRequest, CreateCouponRequest } from './schemas.ts'

/** A coupon as it was asked for, in the domain's terms. */
export const toNewCoupon = (body: Static<typeof CreateCouponRequest>, currency: string): NewCoupon => ({
  ...toCouponChanges(body, currency),
  code: body.code,
  type: body.type,
  value: body.value,
})

/** The changes that a request asks for, in the domain's terms; what it leaves out is left out. */
export function toCouponChanges(
  body: Static<typeof ChangeCouponRequest>,
  currency: string,
): Partial<CouponDraft> {
  return withoutAbsent({
    code: body.code,
    name: body.name,
    description: body.description,
    type: body.type,
    value: body.value,
    minTotalMinor:
      body.min_total === undefined ? undefined : toMinor(body.min_total, currency, ['body', 'min_total']),
    startsAt: toDateIfGiven(body.starts_at),
    endsAt: toDateIfGiven(body.ends_at),
    usesTotal: body.uses_total,
    usesPerCustomer: body.uses_per_customer,
    loggedInOnly: body.logged_in_only,
    freeShipping: body.free_shipping,
    productIds: distinct(body.product_ids),
    categoryIds: distinct(body.category_ids),
    isActive: body.is_active,
  })
}

const distinct = (ids: string[] | undefined) => ids && [...new Set(ids.map((id) => id.toLowerCase()))]
