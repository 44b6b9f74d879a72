import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertRoomInQueue } from '#shared/platform/jobs/assert-room-in-queue.ts'
import { foldCase } from '#shared/platform/text.ts'
import { consumeQuotaIn, requireQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { sendMail } from './jobs.ts'
import { MAIL_BACKLOG } from './mail-backlog.ts'

/** The most mails of a store to one recipient per hour. Without a limit, a caller could fill any mailbox. */
const MAX_PER_HOUR = {
  /** Notices of one type. An account can have another person's address. */
  notice: 5,
  /** Mails that staff cause: invitations, notes or repeated changes of an address. */
  byStaff: 20,
  /** Changes by the customer. */
  byCustomer: 20,
  /** Changes by one actor, of one type. With a limit over all actors, one of them could block the others' changes. */
  ofChange: 20,
}

// Imports and announcements pause at half this number. The rest is for single mails.
const MAX_WAITING_MAILS = 2 * MAIL_BACKLOG

interface Counted {
  /** The type of the mail. */
  name: string
  email: string
}

/** Counts a notice. Returns whether the recipient may get it. */
export async function countNotice(
  tx: StoreTx,
  { name, email }: Counted,
  limit = MAX_PER_HOUR.notice,
): Promise<boolean> {
  const subject = `notices ${name} ${tx.storeId} ${foldCase(email)}`
  const { granted } = await consumeQuotaIn(tx, subject, { limit, windowMs: HOUR_MS })
  return granted > 0
}

/**
 * Counts a mail that staff cause. A mailbox gets at most 20 of them per hour from one store. Past that, or while too
 * many mails of the store wait, the commit fails with 429 `rate_limit.exceeded`.
 */
export const countStaffMail = (tx: StoreTx, email: string): void =>
  countMail(tx, `staff mails ${tx.storeId} ${foldCase(email)}`, MAX_PER_HOUR.byStaff)

/** Counts a mail about a customer's own change. Past its limit the commit fails as in `countStaffMail`. */
export const countCustomerMail = (tx: StoreTx, email: string): void =>
  countMail(tx, `mails of own changes ${tx.storeId} ${foldCase(email)}`, MAX_PER_HOUR.byCustomer)

/** Counts a mail about a change by an actor. Past its limit the commit fails as in `countStaffMail`. */
export const countChangeMail = (tx: StoreTx, { name, email }: Counted, actorId: string): void =>
  countMail(tx, `change mails ${name} ${tx.storeId} ${actorId} ${foldCase(email)}`, MAX_PER_HOUR.ofChange)

function countMail(tx: StoreTx, subject: string, limit: number): void {
  tx.beforeCommit('waiting mails', () => assertRoomInQueue(tx, sendMail, MAX_WAITING_MAILS))
  tx.beforeCommit(subject, () => requireQuotaIn(tx, subject, { limit, windowMs: HOUR_MS }), 'quotas')
}
