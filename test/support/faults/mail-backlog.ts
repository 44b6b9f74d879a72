import { sendMail } from '#shared/mail/jobs.ts'
import { emptyQueue, fillQueue } from '#test/support/faults/fill-queue.ts'

/** Queues mails of a store that are never due. */
export const fillMailQueue = (store: { id: string }, count: number) => fillQueue(sendMail.queue, store, count)

/** Deletes the mails that `fillMailQueue` queued. */
export const emptyMailQueue = (store: { id: string }) => emptyQueue(sendMail.queue, store)
