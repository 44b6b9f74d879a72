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
 * would pay the buyer twice, so it is blocked until staff decide, or until a failed refund leaves the order enough. The
 * vouchers of the orders that these vouchers pay are blocked too: a thief could return the goods of those orders for
 * credit. The caller has locked the order.
 */
export async function updateVoucherBlocks(tx: StoreTx, orderId: string): Promise<void> {
  for (const id of await lockPaidOrders(tx, orderId)) await updateBlocks(tx, id)
}

/**
 * Locks the orders that vouchers of an order pay, those that vouchers of these pay, and so on. Returns their ids after
 * that of the order. All orders are locked before any voucher. The chain can lead back to the order, because staff can
 * let a voucher of an order pay the same order.
 */
async function lockPaidOrders(tx: StoreTx, orderId: string): Promise<Set<string>> {
  const ids = new Set([orderId])
  // The loop also visits the ids that it adds to the set.
  for (const id of ids)
    for (const paidId of await findOrderIdsPaidByVouchersOf(tx, id)) {
      if (!ids.has(paidId)) await lockOrder(tx, paidId)
      ids.add(paidId)
    }
  return ids
}

async function updateBlocks(tx: StoreTx, orderId: string): Promise<void> {
  const bought = (await hasOpenDispute(tx, orderId)) || (await hasUncoveredVoucher(tx, orderId))
  const issued = bought || (await hasLostBeyondOrder(tx, orderId))
  await blockDisputed(tx, orderId, { bought, issued })
}
