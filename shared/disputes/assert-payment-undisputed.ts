import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findPayingVoucher } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { assertNoOpenDispute } from './dispute.ts'
import { DisputeErrors } from './errors.ts'
import { lostPriceMinor } from './lost-price-minor.ts'

/**
 * Throws `order.disputed` while a dispute of an order is open, or while a dispute blocks the voucher that pays it, and
 * `order.voucher_paid_back` if a part of what that voucher paid was lost. A thief could buy a voucher with a stolen
 * card, and goods with the voucher.
 */
export async function assertPaymentUndisputed(tx: StoreTx, orderId: string): Promise<void> {
  await assertNoOpenDispute(tx, orderId)
  const voucher = await findPayingVoucher(tx, orderId)
  if (!voucher) return
  if (voucher.isDisputed) throw DisputeErrors.orderDisputed({ reason: null, payer: 'voucher' })
  if ((await lostPriceMinor(tx, voucher)) > 0n) throw DisputeErrors.voucherPaidBack()
}
