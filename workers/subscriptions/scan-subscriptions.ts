import { scanSubscriptions as job } from '#shared/subscriptions/jobs.ts'
import { scanSubscriptions as scan } from '#shared/subscriptions/scan-due.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the subscriptions that are due. */
export const scanSubscriptions = handle(job, () => scan())
