import { enqueueDue } from './enqueue-due.ts'
import { chargeSubscription } from './jobs.ts'

/** Enqueues the subscriptions of all stores that are due. Returns how many. */
export const scanSubscriptions = (): Promise<number> => enqueueDue('subscriptions_due', chargeSubscription)
