import { emailHash } from '#shared/customers/email-hash.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { CouponUse } from './coupon-use.ts'

/**
 * Replaces the hash of the buyer's address in the coupon uses of these orders, because the hash can be matched to an
 * address.
 */
export async function anonymizeCouponUses(
  tx: StoreTx,
  orderIds: readonly string[],
  personId: string,
): Promise<void> {
  await CouponUse.in(tx)
    .whereRaw('order_id = any(?)', [[...orderIds]])
    .patch({ emailHash: emailHash(erasedEmail(personId)) })
}
