import { scanReminders as job } from '#shared/subscriptions/jobs.ts'
import { scanReminders as scan } from '#shared/subscriptions/scan-due.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the reminders of charges that are due. */
export const scanReminders = handle(job, () => scan())
