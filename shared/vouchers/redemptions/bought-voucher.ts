import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { sumWithdrawnByVoucher } from './voucher-withdrawal.ts'

/** A voucher that an order bought, with the parts of its price in minor units. */
export interface BoughtVoucher {
  id: string
  orderItemId: string
  /** The refunded part of the price, including refunds in progress. */
  withdrawnMinor: bigint
  /** The rest of the price. */
  unwithdrawnMinor: bigint
  /** The part of the rest that was neither spent nor reserved. Without an override only this part is refunded. */
  unspentMinor: bigint
}

/**
 * Reads and locks the vouchers of lines of an order, so that nobody spends their unspent parts. `prices` are by line
 * id. The caller has locked the order.
 */
export async function lockBoughtVouchers(
  tx: StoreTx,
  prices: ReadonlyMap<string, bigint>,
): Promise<BoughtVoucher[]> {
  if (prices.size === 0) return []
  const vouchers = await Voucher.in(tx)
    .whereIn('order_item_id', [...prices.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
  const ids = vouchers.map(({ id }) => id)
  const withdrawn = await sumWithdrawnByVoucher(tx, ids)
  return vouchers.map((voucher) => {
    const orderItemId = voucher.orderItemId ?? ''
    const withdrawnMinor = withdrawn.get(voucher.id) ?? 0n
    const unwithdrawnMinor = (prices.get(orderItemId) ?? 0n) - withdrawnMinor
    const unspentMinor = smaller(unwithdrawnMinor, voucher.remainingMinor)
    return { id: voucher.id, orderItemId, withdrawnMinor, unwithdrawnMinor, unspentMinor }
  })
}
