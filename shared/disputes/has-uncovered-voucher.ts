import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasShortfall } from '#shared/vouchers/redemptions/collect-shortfall.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'

/** Whether the price of the voucher that pays an order is disputed, or was paid back after the voucher was spent. */
export async function hasUncoveredVoucher(tx: StoreTx, orderId: string): Promise<boolean> {
  const voucher = await findPayingVoucher(tx, orderId)
  return voucher !== undefined && (voucher.isDisputed || (await hasShortfall(tx, voucher.id)))
}
