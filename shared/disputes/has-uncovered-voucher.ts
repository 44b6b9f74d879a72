import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { lostPriceMinor } from './lost-price-minor.ts'

/** Whether the price of the voucher that pays an order is disputed, or was lost after the voucher had been spent. */
export async function hasUncoveredVoucher(tx: StoreTx, orderId: string): Promise<boolean> {
  const voucher = await findPayingVoucher(tx, orderId)
  return voucher !== undefined && (voucher.isDisputed || (await lostPriceMinor(tx, voucher)) > 0n)
}
