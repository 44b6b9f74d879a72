import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Coupon } from './coupon.ts'

/** A coupon of the store, active or not. Throws `resource.not_found`. */
export async function findCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  const coupon = await Coupon.in(tx).findById(id)
  if (!coupon) throw CommonErrors.notFound()
  return coupon
}

/** The same, locked: nobody changes or takes it until the end of the transaction. */
export async function lockCoupon(tx: StoreTx, id: string): Promise<Coupon> {
  const coupon = await Coupon.in(tx).findById(id).forNoKeyUpdate()
  if (!coupon) throw CommonErrors.notFound()
  return coupon
}
