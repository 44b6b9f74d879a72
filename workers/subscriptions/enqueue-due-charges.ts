import { enqueueDueCharges as enqueueDue } from '#shared/subscriptions/enqueue-due.ts'
import { enqueueDueCharges as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the charges that are due. */
export const enqueueDueCharges = handle(job, (_payload, { signal }) => enqueueDue(signal))
