import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findVoucher } from '#shared/vouchers/voucher.ts'
import { updateVoucherBlocks } from './update-voucher-blocks.ts'

/**
 * Updates the blocks of the vouchers of a voucher's order, and of the orders that these pay. Throws
 * `resource.not_found`.
 */
export async function updateBlocksOfVoucher(tx: StoreTx, voucherId: string): Promise<void> {
  const { voucher } = await findVoucher(tx, voucherId)
  if (!voucher.orderId) return
  await lockOrder(tx, voucher.orderId)
  await updateVoucherBlocks(tx, voucher.orderId)
}
