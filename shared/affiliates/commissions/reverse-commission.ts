import { COMMISSION_ACTOR, Commission } from '#shared/affiliates/commission.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookCommissionEntry } from './book-commission-entry.ts'

/**
 * Reverses a commission in proportion to the refunded goods of its order; restores a reversal beyond that. The
 * caller has locked the order. A repeat changes nothing.
 */
export async function reverseCommission(
  tx: StoreTx,
  commission: Commission,
  { goodsRefundedMinor, reversedMinor }: Pick<Commission, 'goodsRefundedMinor' | 'reversedMinor'>,
): Promise<void> {
  if (goodsRefundedMinor === commission.goodsRefundedMinor && reversedMinor === commission.reversedMinor)
    return
  await Commission.in(tx)
    .findById(commission.id)
    .patch({ goodsRefundedMinor, reversedMinor, updatedAt: now() })
  const { affiliateId, orderId, currency, payableAt } = commission
  const amountMinor = commission.reversedMinor - reversedMinor
  if (amountMinor === 0n) return
  const kind = amountMinor < 0n ? 'reversed' : 'restored'
  await bookCommissionEntry(tx, {
    affiliateId,
    kind,
    amountMinor,
    currency,
    orderId,
    payableAt,
    actor: COMMISSION_ACTOR,
  })
}
