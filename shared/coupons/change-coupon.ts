import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { foldCase } from '#shared/platform/text.ts'
import { invalid } from '#shared/platform/validation.ts'
import { checkGoods, checkTerms, minorValue } from './check-terms.ts'
import { Coupon } from './coupon.ts'
import type { CouponDraft } from './create-coupon.ts'
import { CouponErrors } from './errors.ts'
import { lockCoupon } from './find-coupon.ts'

/**
 * Changes a coupon; what is absent stays. Orders keep the price they were placed at. Throws `resource.not_found`,
 * `resource.changed` when `ifMatch` names an earlier state, `coupon.code_taken`, and 422 for what does not fit together.
 */
export async function changeCoupon(
  tx: StoreTx,
  currency: string,
  id: string,
  { value, ...changes }: Partial<CouponDraft>,
  ifMatch?: string,
): Promise<Coupon> {
  const coupon = await lockCoupon(tx, id)
  assertUnchanged(coupon, ifMatch)
  if (changes.type && changes.type !== coupon.type && value === undefined)
    throw invalid(['value'], 'Of another type, a coupon needs another value')
  const changed = {
    ...changes,
    ...(value === undefined ? {} : { value: minorValue(changes.type ?? coupon.type, value, currency) }),
    ...(changes.code === undefined ? {} : { codeFolded: foldCase(changes.code) }),
    updatedAt: nextUpdatedAt(coupon),
  }
  const whole = Object.assign(new Coupon(), coupon, changed)
  checkTerms(whole)
  await checkGoods(tx, changes)
  await Coupon.in(tx)
    .findById(id)
    .patch(changed)
    .catch((error) => {
      throw violatedConstraint(error) === 'coupons_code'
        ? CouponErrors.codeTaken({ code: whole.code })
        : error
    })
  return whole
}
