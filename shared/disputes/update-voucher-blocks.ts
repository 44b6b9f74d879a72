import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasLostBeyondOrder } from '#shared/refunds/gateway/book-lost-dispute.ts'
import { blockDisputed } from '#shared/vouchers/redemptions/block-disputed.ts'
import { findOrderIdsPaidByVouchersOf } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { hasOpenDispute } from './dispute.ts'
import { hasUncoveredVoucher } from './has-uncovered-voucher.ts'

/**
 * Blocks the vouchers of a disputed order, or makes them spendable again after the dispute. A lost dispute withdraws
 * the price of bought vouchers, but not a credit. If the bank paid the buyer more than the order had left, the credit
 * would pay the buyer twice, so it is blocked until staff decide, or until a failed refund leaves the order enough. It
 * does so for the orders that these vouchers pay, too: a thief could return their goods for credit. The caller has
 * locked the order.
 */
export const updateVoucherBlocks = (tx: StoreTx, orderId: string): Promise<void> =>
  updateBlocks(tx, orderId, new Set())

/** `seen` holds the orders so far: staff can make a voucher of an order pay that order. */
async function updateBlocks(tx: StoreTx, orderId: string, seen: Set<string>): Promise<void> {
  seen.add(orderId)
  const bought = (await hasOpenDispute(tx, orderId)) || (await hasUncoveredVoucher(tx, orderId))
  const issued = bought || (await hasLostBeyondOrder(tx, orderId))
  await blockDisputed(tx, orderId, { bought, issued })
  for (const paidOrderId of await findOrderIdsPaidByVouchersOf(tx, orderId)) {
    if (seen.has(paidOrderId)) continue
    await lockOrder(tx, paidOrderId)
    await updateBlocks(tx, paidOrderId, seen)
  }
}
