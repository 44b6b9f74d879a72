import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { proportion, smaller } from '#shared/platform/money.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { unrefundedVoucherMinor } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { lostPriceMinor } from './lost-price-minor.ts'

/**
 * Returns the part of an order that a voucher paid and whose money a dispute or a refund at the gateway took away
 * later, in minor units. All orders that the voucher pays share its lost price in proportion, also those that reserve a
 * part of it: otherwise each part would change when one of them is paid. It looks one voucher back: a credit for goods
 * that a lost voucher paid is blocked as disputed instead.
 */
export async function lostVoucherPart(tx: StoreTx, order: Order): Promise<bigint> {
  const paidMinor = await unrefundedVoucherMinor(tx, order)
  if (paidMinor === 0n) return 0n
  const voucher = await findPayingVoucher(tx, order.id)
  const usedMinor = voucher ? voucher.spentMinor + voucher.reservedMinor : 0n
  if (!voucher || usedMinor === 0n) return 0n
  return smaller(paidMinor, proportion(await lostPriceMinor(tx, voucher), paidMinor, usedMinor))
}
