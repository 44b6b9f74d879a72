import { createCoupon, type NewCoupon } from '#shared/coupons/create-coupon.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { nextNumber } from '#test/support/builders/store.ts'

export interface BuiltCoupon {
  id: string
  code: string
}

/** A coupon. Default: 10 % on everything, for everyone, without a usage limit. */
export async function buildCoupon(
  store: { id: string },
  given: Partial<NewCoupon> = {},
): Promise<BuiltCoupon> {
  const tenant = await findStoreById(store.id)
  if (!tenant) throw new Error('buildCoupon needs a built store')
  const coupon = { code: `CODE-${nextNumber()}`, type: 'percent' as const, value: 10, ...given }
  const { id, code } = await inStore(store.id, (tx) => createCoupon(tx, tenant.store.currency, coupon))
  return { id, code }
}
