import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStoresWithWaitingJobs, hasWaitingJobs } from '#shared/platform/jobs/waiting-jobs.ts'
import { sendMail } from './jobs.ts'

/**
 * A store with this many waiting mails has a backlog, and work that mails many of its customers pauses until it has
 * none. Each fetch from the queue passes over all waiting mails of a store that is at its limit, which delays the mails
 * of other stores: by 6 ms for 5,000 mails, by 190 ms for 100,000.
 */
export const MAIL_BACKLOG = 5_000

/** Whether the store has a backlog of mails. */
export const hasMailBacklog = (tx: StoreTx): Promise<boolean> =>
  hasWaitingJobs(tx, sendMail.queue, MAIL_BACKLOG)

/** Returns the ids of the stores with a backlog of mails. */
export const findStoresWithMailBacklog = (): Promise<string[]> =>
  findStoresWithWaitingJobs(sendMail.queue, MAIL_BACKLOG)
