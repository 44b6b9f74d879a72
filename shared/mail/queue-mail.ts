import type { Static, TSchema } from 'typebox'
import { newId } from '#shared/platform/db/id.ts'
import type { PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue, enqueueForPlatform } from '#shared/platform/jobs/enqueue.ts'
import { JOB_TABLE } from '#shared/platform/jobs/job-table.ts'
import { PENDING_JOB_KEPT_UNTIL } from '#shared/platform/jobs/pending-jobs.ts'
import { isErasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import type { MailDefinition } from './define-mail.ts'
import { sendMail, sendPlatformMail } from './jobs.ts'
import { countChangeMail, countCustomerMail, countNotice, countStaffMail } from './mail-limits.ts'

/** The recipient of a mail. A null `language` means the store's. */
export interface Recipient {
  /**
   * The account, order or other record that the mail is about. The mail is deleted when the personal data of this
   * record is erased: an address alone does not identify a person. Null if the mail names nobody.
   */
  recordId: string | null
  email: string
  language: string | null
}

/** Returns the recipient of a mail about a record: the record's own address. */
export const toRecipient = (record: { id: string; email: string; language?: string | null }): Recipient => ({
  recordId: record.id,
  email: record.email,
  language: record.language ?? null,
})

interface QueuedMail {
  storeId?: string
  mailId: string
  to: string
}

/** The encrypted data of queued mails and dead letters. It can be decrypted only for its own mail. */
export const mailSecrets = defineSecrets(
  'queued mails',
  {
    scope: 'platform',
    table: JOB_TABLE,
    columns: ["data->>'sealed'"],
    expiresAt: PENDING_JOB_KEPT_UNTIL,
  },
  ({ storeId = 'platform', mailId, to }: QueuedMail) => `mail ${storeId} ${mailId} ${to}`,
)

interface Options {
  /** The mail is not sent after this time, e.g. because its link has expired. */
  expiresAt?: Date
}

/** Queues a mail in the transaction of the reported change. An anonymized person gets no mail. */
export async function queueMail<D extends TSchema>(
  tx: StoreTx,
  { name: kind }: MailDefinition<D>,
  { recordId, email: to, language }: Recipient,
  data: Static<D>,
  { expiresAt }: Options = {},
): Promise<void> {
  if (isErasedEmail(to)) return
  const mailId = newId()
  const sealed = mailSecrets.of({ storeId: tx.storeId, mailId, to }).seal(JSON.stringify(data))
  const payload = {
    mailId,
    kind,
    recordId,
    to,
    language,
    sealed,
    expiresAt: expiresAt?.toISOString() ?? null,
  }
  await enqueue(tx, sendMail, payload, { id: mailId })
}

/**
 * Queues a mail that only reports an event. A recipient gets at most `mostPerHour` of one type from a store, five by
 * default.
 */
export async function queueNotice<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
  mostPerHour?: number,
): Promise<void> {
  const { email } = recipient
  const isGranted = await countNotice(tx, { name: mail.name, email }, mostPerHour)
  if (isGranted) await queueMail(tx, mail, recipient, data)
}

/** Queues a mail that staff can cause any number of times, and counts it by `countStaffMail`. */
export async function queueMailByStaff<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
  options?: Options,
): Promise<void> {
  await queueMail(tx, mail, recipient, data, options)
  countStaffMail(tx, recipient.email)
}

/**
 * Queues a mail about a change by a customer that the account's owner must know, e.g. because a thief of a session made
 * it. Past 20 mails in an hour, or while too many mails of the store wait, the commit fails with 429
 * `rate_limit.exceeded`: a limit that dropped the mail would hide the change.
 */
export async function queueMailByCustomer<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
): Promise<void> {
  await queueMail(tx, mail, recipient, data)
  countCustomerMail(tx, recipient.email)
}

/**
 * Queues a mail about a change by staff that its recipient must know, because it outlasts a stolen session. An actor
 * causes at most 20 mails of one type to a recipient per hour. Past that, or while too many mails of the store wait,
 * the commit fails with 429 `rate_limit.exceeded`: a limit that dropped the mail would hide the change.
 */
export async function queueMailOfChange<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
  actorId: string,
): Promise<void> {
  await queueMail(tx, mail, recipient, data)
  countChangeMail(tx, { name: mail.name, email: recipient.email }, actorId)
}

/** Queues a mail to a super-admin in a transaction of the platform. */
export async function queuePlatformMail<D extends TSchema>(
  { knex }: PlatformTx,
  { name: kind }: MailDefinition<D>,
  to: string,
  data: Static<D>,
): Promise<void> {
  const mailId = newId()
  const sealed = mailSecrets.of({ mailId, to }).seal(JSON.stringify(data))
  await enqueueForPlatform(sendPlatformMail, { mailId, kind, to, sealed }, { knex, id: mailId })
}
