import { enqueueSupportReports as enqueueReports } from '#shared/super-admin/enqueue-support-reports.ts'
import { enqueueSupportReports as job } from '#shared/super-admin/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the reports of support sessions that are due. */
export const enqueueSupportReports = handle(job, (_payload, { signal }) => enqueueReports(signal))
