import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { findShortRefundIds } from '#shared/vouchers/redemptions/collect-shortfall.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'

/** Whether the price of the voucher that pays an order is disputed, or was lost after the voucher had been spent. */
export async function hasUncoveredVoucher(tx: StoreTx, orderId: string): Promise<boolean> {
  const voucher = await findPayingVoucher(tx, orderId)
  return voucher !== undefined && (voucher.isDisputed || (await wasPriceLost(tx, voucher)))
}

/**
 * Whether a dispute or a refund at the gateway paid back a part of a voucher's price that had been spent. A refund by
 * staff is their decision.
 */
export async function wasPriceLost(tx: StoreTx, { id }: Pick<Voucher, 'id'>): Promise<boolean> {
  const refunds = await Refund.in(tx)
    .whereIn('id', await findShortRefundIds(tx, id))
    .whereIn('origin', ['dispute', 'gateway'])
    .resultSize()
  return refunds > 0
}
