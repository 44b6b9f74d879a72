import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { foldCase } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { checkGoods, checkRules, toStoredValue } from './check-rules.ts'
import { Coupon, type CouponRules } from './coupon.ts'
import { CouponErrors } from './errors.ts'

/** The input of staff. The value is in percent or in major units. */
export interface CouponInput extends Omit<CouponRules, 'value'> {
  description: string | null
  metadata: MetadataChange
  value: number
}

export type NewCoupon = Pick<CouponInput, 'code' | 'type' | 'value'> & Partial<CouponInput>

/** A new coupon without these fields has no limits. */
const DEFAULTS = {
  name: null,
  description: null,
  minTotalMinor: 0n,
  startsAt: null,
  endsAt: null,
  usesTotal: null,
  usesPerCustomer: null,
  loggedInOnly: false,
  freeShipping: false,
  productIds: [],
  categoryIds: [],
  isActive: true,
  metadata: {},
}

/** Creates a coupon; absent rules set no limit. Throws `coupon.code_taken`, and 422 for contradictory rules. */
export async function createCoupon(tx: StoreTx, currency: string, given: NewCoupon): Promise<Coupon> {
  const rules = { ...DEFAULTS, ...given, value: toStoredValue(given.type, given.value, currency) }
  const metadata = mergeMetadata({}, rules.metadata)
  checkRules(rules)
  await checkGoods(tx, rules)
  const id = newId()
  const at = now()
  await Coupon.in(tx)
    .insert({
      ...rules,
      metadata,
      id,
      codeFolded: foldCase(rules.code),
      usesCount: 0,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict(['store_id', 'code_folded'])
    .ignore()
  const coupon = await Coupon.in(tx).findById(id)
  if (!coupon) throw CouponErrors.codeTaken({ code: rules.code })
  return coupon
}
