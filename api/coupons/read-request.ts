import type { Static } from 'typebox'
import {
  omitUndefined,
  toCamelCase,
  toDateIfPresent,
  toMinorIfPresent,
} from '#api/platform/input/request-fields.ts'
import type { CouponInput, NewCoupon } from '#shared/coupons/create-coupon.ts'
import { uniqueIds } from '#shared/platform/db/id.ts'
import type { CreateCouponRequest, UpdateCouponRequest } from './schemas.ts'

/** Converts a request body to the domain's input. */
export const toNewCoupon = (body: Static<typeof CreateCouponRequest>, currency: string): NewCoupon => ({
  ...toCouponChanges(body, currency),
  code: body.code,
  type: body.type,
  value: body.value,
})

/** Converts the changes of a request body. Absent fields stay absent. */
export function toCouponChanges(
  { min_total, starts_at, ends_at, product_ids, category_ids, ...fields }: Static<typeof UpdateCouponRequest>,
  currency: string,
): Partial<CouponInput> {
  return omitUndefined({
    ...toCamelCase(fields),
    minTotalMinor: toMinorIfPresent(min_total, currency, ['min_total']),
    startsAt: toDateIfPresent(starts_at),
    endsAt: toDateIfPresent(ends_at),
    productIds: product_ids && uniqueIds(product_ids),
    categoryIds: category_ids && uniqueIds(category_ids),
  })
}
