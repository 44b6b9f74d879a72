import type { Knex } from 'knex'
import type { Static, TSchema } from 'typebox'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue, enqueueForPlatform } from '#shared/platform/jobs/enqueue.ts'
import { JOB_TABLE, PENDING_JOB_KEPT_UNTIL } from '#shared/platform/jobs/job-table.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { foldCase } from '#shared/platform/text.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import type { MailDefinition } from './define-mail.ts'
import { sendMail, sendPlatformMail } from './jobs.ts'

/** Who gets a mail, and the language they read; null for the store's own. */
export interface Recipient {
  email: string
  language: string | null
}

interface QueuedMail {
  storeId?: string
  mailId: string
  to: string
}

/** The data of mails that wait for their sending, dead letters among them: put into another mail, it does not open. */
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

/** Past `goodUntil` the mail is not sent any more: what it offers would not work. */
interface Limits {
  goodUntil?: Date
}

/** Sends a mail in the transaction of the change that it tells of. */
export async function queueMail<D extends TSchema>(
  tx: StoreTx,
  { name: kind }: MailDefinition<D>,
  { email: to, language }: Recipient,
  data: Static<D>,
  { goodUntil }: Limits = {},
): Promise<void> {
  const mailId = newId()
  const sealed = mailSecrets.of({ storeId: tx.storeId, mailId, to }).seal(JSON.stringify(data))
  const payload = { mailId, kind, to, language, sealed, goodUntil: goodUntil?.toISOString() ?? null }
  await enqueue(tx, sendMail, payload, { id: mailId })
}

/** More of a kind within an hour tell nothing new: whoever has an account in a stranger's name is filling that mailbox. */
const MOST_NOTICES_AN_HOUR = 5

/** As `queueMail`, for a mail that only tells what happened to an account: past five of a kind an hour its reader gets none. */
export async function queueNotice<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
): Promise<void> {
  const subject = `notices ${mail.name} ${tx.storeId} ${foldCase(recipient.email)}`
  if (await consumeQuotaIn(tx, subject, MOST_NOTICES_AN_HOUR, HOUR_MS)) return
  await queueMail(tx, mail, recipient, data)
}

/** As `queueMail`, to one of those who run the platform, in a transaction of the platform. */
export async function queuePlatformMail<D extends TSchema>(
  knex: Knex,
  { name: kind }: MailDefinition<D>,
  to: string,
  data: Static<D>,
): Promise<void> {
  const mailId = newId()
  const sealed = mailSecrets.of({ mailId, to }).seal(JSON.stringify(data))
  await enqueueForPlatform(sendPlatformMail, { mailId, kind, to, sealed }, { knex, id: mailId })
}
