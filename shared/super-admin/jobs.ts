import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Adds up the stores' orders of the last weeks, day by day. */
export const rollUpFigures = definePlatformJob(
  'roll-up-figures',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)

/** Mails the changes of a support session to the store's owner. */
export const reportSupportChanges = defineJob('report-support-changes', { sessionId: Uuid })

/** Enqueues the reports of the support sessions of all stores that make no more changes. */
export const enqueueSupportReports = definePlatformJob(
  'enqueue-support-reports',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)
