import { settleCommissionsOfVoucher } from '#shared/affiliates/commissions/settle-commissions-of-voucher.ts'
import { updateBlocksOfVoucher } from '#shared/disputes/update-blocks-of-voucher.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleShortfall as job } from '#shared/vouchers/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Updates what depends on the shortfall of a voucher. */
export const settleShortfall = handle(job, async ({ storeId, voucherId }, { signal }) => {
  await inStore(storeId, (tx) => updateBlocksOfVoucher(tx, voucherId))
  await settleCommissionsOfVoucher(storeId, voucherId, signal)
})
