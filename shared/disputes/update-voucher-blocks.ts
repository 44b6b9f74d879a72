import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasLostBeyondOrder } from '#shared/refunds/gateway/book-lost-dispute.ts'
import { blockDisputed } from '#shared/vouchers/redemptions/block-disputed.ts'
import { hasOpenDispute } from './dispute.ts'

/**
 * Blocks the vouchers of a disputed order, or makes them spendable again after the dispute. A lost dispute withdraws
 * the price of bought vouchers, but not a credit. If the bank paid the buyer more than the order had left, the credit
 * would pay the buyer twice, so it is blocked until staff decide, or until a failed refund leaves the order enough. The
 * caller has locked the order.
 */
export async function updateVoucherBlocks(tx: StoreTx, orderId: string): Promise<void> {
  const isOpen = await hasOpenDispute(tx, orderId)
  const issued = isOpen || (await hasLostBeyondOrder(tx, orderId))
  await blockDisputed(tx, orderId, { bought: isOpen, issued })
}
