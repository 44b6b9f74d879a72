import { enqueueDueReminders as enqueueDue } from '#shared/subscriptions/enqueue-due.ts'
import { enqueueDueReminders as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the reminders of charges that are due. */
export const enqueueDueReminders = handle(job, (_payload, { signal }) => enqueueDue(signal))
