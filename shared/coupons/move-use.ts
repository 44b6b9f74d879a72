import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { CouponUse } from './coupon-use.ts'
import { CouponErrors } from './errors.ts'
import { lockCoupon } from './find-coupon.ts'

// A use moves when its mark changes, and the count with it: told twice, it moves once.
const move = (name: string, mark: string, step: string): Statement => ({
  name,
  text: `
  with moved as (
    update coupon_uses set given_back_at = $2::timestamptz
    where store_id = ${CURRENT_STORE} and order_id = $1::uuid and given_back_at is ${mark}
    returning coupon_id)
  update coupons set uses_count = uses_count ${step} 1
  from moved
  where store_id = ${CURRENT_STORE} and id = moved.coupon_id`,
})

const GIVE_BACK = move('give_coupon_use_back', 'null', '-')
const TAKE_AGAIN = move('take_coupon_use_again', 'not null', '+')

/** Gives back what an order, which the caller has locked, took of a coupon; once. */
export async function giveCouponBack(tx: StoreTx, orderId: string): Promise<void> {
  await tx.prepared(GIVE_BACK, [orderId, now()])
}

/**
 * Makes sure that an order, which the caller has locked, has again what it gave back of a coupon, at the terms that it
 * was placed at. Throws `coupon.usage_exceeded` when others, or the buyer elsewhere, have used it up.
 */
export async function takeCouponAgain(tx: StoreTx, orderId: string): Promise<void> {
  const use = await CouponUse.in(tx).findOne('order_id', orderId).whereNotNull('given_back_at')
  if (!use) return
  // Lock first: another order could take the last use meanwhile.
  const { usesTotal, usesCount, usesPerCustomer } = await lockCoupon(tx, use.couponId)
  if (usesTotal !== null && usesCount >= usesTotal) throw CouponErrors.usageExceeded()
  if (usesPerCustomer !== null && (await countUses(tx, use)) >= usesPerCustomer)
    throw CouponErrors.usageExceeded()
  await tx.prepared(TAKE_AGAIN, [orderId, null])
}

const countUses = (tx: StoreTx, { couponId, customerId, emailHash }: CouponUse): Promise<number> =>
  CouponUse.in(tx)
    .where({ coupon_id: couponId, given_back_at: null })
    .where((one) => {
      one.where('email_hash', emailHash)
      if (customerId) one.orWhere('customer_id', customerId)
    })
    .resultSize()
