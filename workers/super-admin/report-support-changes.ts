import { inStore } from '#shared/platform/db/store-scope.ts'
import { reportSupportChanges as job } from '#shared/super-admin/jobs.ts'
import { reportSupportChanges as report } from '#shared/super-admin/report-support-changes.ts'
import { handle } from '#workers/platform/handle.ts'

/** Queues the mail that reports the changes of a support session to the owner. */
export const reportSupportChanges = handle(job, ({ storeId, sessionId }) =>
  inStore(storeId, (tx) => report(tx, sessionId)),
)
