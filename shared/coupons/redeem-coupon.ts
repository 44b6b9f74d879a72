import { emailHash, emailHashSql } from '#shared/customers/email-hash.ts'
import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CouponCandidate } from './apply-coupon.ts'
import { Coupon } from './coupon.ts'
import { CouponErrors } from './errors.ts'

export interface Redemption {
  orderId: string
  customerId: string | null
  email: string
  discountMinor: bigint
}

/** Counts one use unless the limit is reached. The update locks the coupon until the end of the transaction. */
const COUNT_USE: Statement = {
  name: 'count_coupon_use',
  text: `
  update coupons set uses_count = uses_count + 1
  where store_id = ${CURRENT_STORE} and id = $1::uuid and is_active
    and (uses_total is null or uses_count < uses_total)
  returning uses_per_customer as "usesPerCustomer"`,
}

// The lock on the coupon makes every earlier use visible. Without the lock, two concurrent checkouts could both see no
// use.
const INSERT_USE: Statement = {
  name: 'insert_coupon_use',
  text: `
  insert into coupon_uses
    (store_id, id, coupon_id, order_id, customer_id, email_hash, discount_minor, currency, created_at)
  select ${CURRENT_STORE}, $1::uuid, $2::uuid, $3::uuid, $4::uuid,
    coalesce(account.hash, $5::bytea), $6::bigint, $7, $8
  from (select ${emailHashSql('$4::uuid')} as hash) account
  where $9::integer is null or $9 > (
    select count(*) from coupon_uses
    where store_id = ${CURRENT_STORE} and coupon_id = $2::uuid and released_at is null
      and (customer_id = $4::uuid or email_hash in ($5::bytea, account.hash)))
  returning id`,
}

/**
 * Redeems a coupon for a new order. A checkout does this last, because every checkout with the same coupon waits for
 * its row. Throws `coupon.usage_exceeded`, and `coupon.not_found` if the coupon was deactivated during the checkout.
 */
export async function redeemCoupon(
  tx: StoreTx,
  { id: couponId, currency }: CouponCandidate,
  { orderId, customerId, email, discountMinor }: Redemption,
): Promise<void> {
  const [counted] = await tx.prepared<{ usesPerCustomer: number | null }>(COUNT_USE, [couponId])
  if (!counted) throw await redemptionError(tx, couponId)
  const use = [newId(), couponId, orderId, customerId, emailHash(email), discountMinor, currency, now()]
  const inserted = await tx.prepared(INSERT_USE, [...use, counted.usesPerCustomer])
  if (inserted.length === 0) throw CouponErrors.usageExceeded()
}

async function redemptionError(tx: StoreTx, couponId: string) {
  const coupon = await Coupon.in(tx).findById(couponId)
  return coupon?.isActive ? CouponErrors.usageExceeded() : CouponErrors.notFound()
}
