import { discardUnfinishedUpload as job } from '#shared/imports/jobs.ts'
import { discardUpload } from '#shared/imports/receive-upload.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes an upload that was not finished because its process or its client stopped. */
export const discardUnfinishedUpload = handle(job, ({ storeId, jobId }) =>
  inStore(storeId, (tx) => discardUpload(tx, jobId)),
)
