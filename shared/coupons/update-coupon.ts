import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { mergeMetadata } from '#shared/platform/http/metadata.ts'
import { foldCase } from '#shared/platform/text.ts'
import { invalid } from '#shared/platform/validation.ts'
import { checkGoods, checkRules, toStoredValue } from './check-rules.ts'
import { Coupon, lockCoupon } from './coupon.ts'
import type { CouponInput } from './create-coupon.ts'
import { CouponErrors } from './errors.ts'

/**
 * Updates a coupon; absent fields stay. Orders keep the price of their placement. Throws `resource.not_found`,
 * `resource.changed` if `ifMatch` is outdated, `coupon.code_taken`, and 422 for contradictory rules.
 */
export async function updateCoupon(
  tx: StoreTx,
  currency: string,
  id: string,
  { value, metadata, ...changes }: Partial<CouponInput>,
  ifMatch?: string,
): Promise<Coupon> {
  const coupon = await lockCoupon(tx, id)
  assertUnchanged(coupon, ifMatch)
  if (changes.type && changes.type !== coupon.type && value === undefined)
    throw invalid(['value'], 'A new type needs a new value')
  const changed = {
    ...changes,
    metadata: mergeMetadata(coupon.metadata, metadata),
    ...(value === undefined ? {} : { value: toStoredValue(changes.type ?? coupon.type, value, currency) }),
    ...(changes.code === undefined ? {} : { codeFolded: foldCase(changes.code) }),
    updatedAt: nextUpdatedAt(coupon),
  }
  const updated = coupon.with(changed)
  checkRules(updated)
  await checkGoods(tx, changes)
  await Coupon.in(tx)
    .findById(id)
    .patch(changed)
    .catch((error) => {
      throw violatedConstraint(error) === 'coupons_code'
        ? CouponErrors.codeTaken({ code: updated.code })
        : error
    })
  return updated
}
