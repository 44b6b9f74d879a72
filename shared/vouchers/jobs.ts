import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Updates what depends on whether the price of a voucher covers its spent value: the blocks of other vouchers, and the
 * commissions of orders that it pays.
 */
export const settleShortfall = defineJob(
  'settle-shortfall',
  { voucherId: Uuid },
  { concurrency: 4, perStore: 1, expireInSeconds: 600 },
)
