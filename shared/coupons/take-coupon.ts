import { accountHashSql, emailHash } from '#shared/customers/email-hash.ts'
import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { PresentedCoupon } from './apply-coupon.ts'

import { Coupon } from './coupon.ts'
import { CouponErrors } from './errors.ts'

export interface TakenFor {
  orderId: string
  customerId: string | null
  email: string
  discountMinor: bigint
}

/** Counts one more use unless the limit is reached; with it the coupon is locked until the end of the transaction. */
const COUNT_USE: Statement = {
  name: 'count_coupon_use',
  text: `
  update coupons set uses_count = uses_count + 1
  where store_id = ${CURRENT_STORE} and id = $1::uuid and is_active
    and (uses_total is null or uses_count < uses_total)
  returning uses_per_customer as "usesPerCustomer"`,
}

// Under the lock on the coupon, so that it sees every use that was taken before: two at once could each see none.
const NOTE_USE: Statement = {
  name: 'note_coupon_use',
  text: `
  insert into coupon_uses
    (store_id, id, coupon_id, order_id, customer_id, email_hash, discount_minor, currency, created_at)
  select ${CURRENT_STORE}, $1::uuid, $2::uuid, $3::uuid, $4::uuid,
    coalesce(account.hash, $5::bytea), $6::bigint, $7, $8
  from (select ${accountHashSql('$4::uuid')} as hash) account
  where $9::integer is null or $9 > (
    select count(*) from coupon_uses
    where store_id = ${CURRENT_STORE} and coupon_id = $2::uuid and given_back_at is null
      and (customer_id = $4::uuid or email_hash in ($5::bytea, account.hash)))
  returning id`,
}

/**
 * Takes a coupon for an order that was just written, as the last thing of its checkout: every checkout with the same
 * coupon wants its row. Throws `coupon.usage_exceeded`, and `coupon.not_found` when it was switched off meanwhile.
 */
export async function takeCoupon(
  tx: StoreTx,
  { id: couponId, currency }: PresentedCoupon,
  { orderId, customerId, email, discountMinor }: TakenFor,
): Promise<void> {
  const [counted] = await tx.prepared<{ usesPerCustomer: number | null }>(COUNT_USE, [couponId])
  if (!counted) throw await whyNot(tx, couponId)
  const use = [newId(), couponId, orderId, customerId, emailHash(email), discountMinor, currency, now()]
  const noted = await tx.prepared(NOTE_USE, [...use, counted.usesPerCustomer])
  if (noted.length === 0) throw CouponErrors.usageExceeded()
}

async function whyNot(tx: StoreTx, couponId: string) {
  const coupon = await Coupon.in(tx).findById(couponId)
  return coupon?.isActive ? CouponErrors.usageExceeded() : CouponErrors.notFound()
}
