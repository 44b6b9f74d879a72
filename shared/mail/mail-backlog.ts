import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStoresWithWaitingJobs, hasWaitingJobs } from '#shared/platform/jobs/job-table.ts'
import { sendMail } from './jobs.ts'

/**
 * A store with so many waiting mails has a backlog. Work that mails many customers continues when the store has none,
 * because fetching from the queue passes over all mails of a store that is at its limit, and so delays other stores: by
 * 6 ms for 5,000 mails, by 190 ms for 100,000.
 */
export const MAIL_BACKLOG = 5_000

/** Whether so many mails of the store wait that it should queue no more of them than it must. */
export const hasMailBacklog = (tx: StoreTx): Promise<boolean> =>
  hasWaitingJobs(tx, sendMail.queue, MAIL_BACKLOG)

/** Returns the ids of the stores with a backlog of mails. */
export const findStoresWithMailBacklog = (): Promise<string[]> =>
  findStoresWithWaitingJobs(sendMail.queue, MAIL_BACKLOG)
