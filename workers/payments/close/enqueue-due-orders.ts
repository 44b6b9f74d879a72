import { enqueueDueOrders as enqueueDue } from '#shared/payments/close/enqueue-due-orders.ts'
import { enqueueDueOrders as job } from '#shared/payments/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the orders whose hold or time to pay has ended. */
export const enqueueDueOrders = handle(job, (_payload, { signal }) => enqueueDue(signal))
