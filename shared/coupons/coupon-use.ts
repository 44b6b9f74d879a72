import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockCoupon } from './coupon.ts'
import { CouponErrors } from './errors.ts'

/** The use of a coupon by an order. A released use stays on record. */
export class CouponUse extends StoreModel {
  static override tableName = 'coupon_uses'

  declare couponId: string
  declare orderId: string
  /** Null for a guest. */
  declare customerId: string | null
  /** The `emailHash` of the account's address, or of the order's for a guest. It identifies a returning buyer. */
  declare emailHash: Buffer
  declare discountMinor: bigint
  declare currency: string
  declare createdAt: Date
  /** Null while the use counts. */
  declare releasedAt: Date | null
}

// The use and the count change together, and only if `released_at` was as expected. So a repeat changes nothing.
const setReleasedAt = (name: string, before: 'null' | 'not null', step: '-' | '+'): Statement => ({
  name,
  text: `
  with moved as (
    update coupon_uses set released_at = $2::timestamptz
    where store_id = ${CURRENT_STORE} and order_id = $1::uuid and released_at is ${before}
    returning coupon_id)
  update coupons set uses_count = uses_count ${step} 1
  from moved
  where store_id = ${CURRENT_STORE} and id = moved.coupon_id`,
})

const RELEASE_USE = setReleasedAt('release_coupon_use', 'null', '-')
const RESTORE_USE = setReleasedAt('restore_coupon_use', 'not null', '+')

/** Releases the coupon use of an order. The caller has locked the order. A repeat changes nothing. */
export async function releaseCouponUse(tx: StoreTx, orderId: string): Promise<void> {
  await tx.prepared(RELEASE_USE, [orderId, now()])
}

/**
 * Restores the released coupon use of an order at the rules of its placement. The caller has locked the order. Throws
 * `coupon.usage_exceeded` if other orders have used the coupon up.
 */
export async function restoreCouponUse(tx: StoreTx, orderId: string): Promise<void> {
  const use = await CouponUse.in(tx).findOne('order_id', orderId).whereNotNull('released_at')
  if (!use) return
  // Lock first: another order could take the last use.
  const { usesTotal, usesCount, usesPerCustomer } = await lockCoupon(tx, use.couponId)
  if (usesTotal !== null && usesCount >= usesTotal) throw CouponErrors.usageExceeded()
  if (usesPerCustomer !== null && (await countUses(tx, use)) >= usesPerCustomer)
    throw CouponErrors.usageExceeded()
  await tx.prepared(RESTORE_USE, [orderId, null])
}

const countUses = (tx: StoreTx, { couponId, customerId, emailHash }: CouponUse): Promise<number> =>
  CouponUse.in(tx)
    .where({ coupon_id: couponId, released_at: null })
    .where((buyer) => {
      buyer.where('email_hash', emailHash)
      if (customerId) buyer.orWhere('customer_id', customerId)
    })
    .resultSize()
