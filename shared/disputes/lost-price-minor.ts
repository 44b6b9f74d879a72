import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { findShortfalls } from '#shared/vouchers/redemptions/collect-shortfall.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'

/**
 * Returns the spent part of a voucher's price that a dispute or a refund at the gateway paid back, in minor units. A
 * refund by staff is their decision.
 */
export async function lostPriceMinor(tx: StoreTx, { id }: Pick<Voucher, 'id'>): Promise<bigint> {
  const shortfalls = await findShortfalls(tx, id)
  if (shortfalls.length === 0) return 0n
  const lost = await Refund.in(tx)
    .whereIn(
      'id',
      shortfalls.map(({ refundId }) => refundId),
    )
    .whereIn('origin', ['dispute', 'gateway'])
    .select('id')
  const ids = new Set(lost.map((refund) => refund.id))
  return sum(shortfalls.filter(({ refundId }) => ids.has(refundId)).map(({ shortMinor }) => shortMinor))
}
