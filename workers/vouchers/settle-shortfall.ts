import { settleCommission } from '#shared/affiliates/commissions/settle-commission.ts'
import { updateVoucherBlocks } from '#shared/disputes/update-voucher-blocks.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleShortfall as job } from '#shared/vouchers/jobs.ts'
import { findOrderIdsPaidBy } from '#shared/vouchers/redemptions/find-paying-voucher.ts'
import { handle } from '#workers/platform/handle.ts'

/** Updates what depends on the shortfall of a voucher, one order that it pays after the other. */
export const settleShortfall = handle(job, async ({ storeId, voucherId }, { signal }) => {
  for (const orderId of await inStore(storeId, (tx) => findOrderIdsPaidBy(tx, voucherId))) {
    signal.throwIfAborted()
    await inStore(storeId, async (tx) => {
      await lockOrder(tx, orderId)
      await updateVoucherBlocks(tx, orderId)
      await settleCommission(tx, orderId)
    })
  }
})
