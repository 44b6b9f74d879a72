import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { reconcileStore as job } from '#shared/reconciliation/jobs.ts'
import { handle } from '#workers/platform/handle.ts'
import { reportOutcome } from './report-outcome.ts'

/** Compares a store's own books with each other. */
export const reconcileStore = handle(job, async ({ storeId }, { retry }) => {
  const found = await inStore(storeId, findDiscrepancies)
  await reportOutcome(storeId, { book: 'store', found, isLast: retry >= job.rules.retries })
})
