import { type CouponDraft, createCoupon } from '#shared/coupons/create-coupon.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { nextNumber } from './build.ts'

export interface BuiltCoupon {
  id: string
  code: string
}

/** A coupon of 10 % on everything, for everyone, as often as they like, unless told otherwise. */
export async function buildCoupon(
  store: { id: string },
  given: Partial<CouponDraft> = {},
): Promise<BuiltCoupon> {
  const visit = await findStoreById(store.id)
  if (!visit) throw new Error('buildCoupon needs a built store')
  const draft: CouponDraft = {
    code: `CODE-${nextNumber()}`,
    name: null,
    description: null,
    type: 'percent',
    value: 10,
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
    ...given,
  }
  const { id, code } = await inStore(store.id, (tx) => createCoupon(tx, visit.store.currency, draft))
  return { id, code }
}
