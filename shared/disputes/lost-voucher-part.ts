import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { proportion, smaller } from '#shared/platform/money.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { unrefundedVoucherMinor } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { lostPriceMinor } from './lost-price-minor.ts'

/**
 * Returns the lost part of an order in minor units: a voucher paid it, and later a dispute or a refund at the gateway
 * took back the voucher's price. All orders that the voucher pays share the lost price in proportion. Orders that only
 * reserve a part count too, so that no share changes when they are paid. A voucher that was issued as a credit for
 * goods of a lost voucher has no lost price: it is blocked as disputed instead.
 */
export async function lostVoucherPart(tx: StoreTx, order: Order): Promise<bigint> {
  const paidMinor = await unrefundedVoucherMinor(tx, order)
  if (paidMinor === 0n) return 0n
  const voucher = await findPayingVoucher(tx, order.id)
  const usedMinor = voucher ? voucher.spentMinor + voucher.reservedMinor : 0n
  if (!voucher || usedMinor === 0n) return 0n
  return smaller(paidMinor, proportion(await lostPriceMinor(tx, voucher), paidMinor, usedMinor))
}
