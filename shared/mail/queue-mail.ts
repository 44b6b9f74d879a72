import type { Knex } from 'knex'
import type { Static, TSchema } from 'typebox'
import { seal } from '../platform/crypto.ts'
import { newId } from '../platform/id.ts'
import { enqueue, enqueueForPlatform } from '../platform/jobs.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { MailDefinition } from './define-mail.ts'
import { sendMail, sendPlatformMail } from './jobs.ts'

/** Who gets a mail, and the language they read; null for the store's own. */
export interface Recipient {
  email: string
  language: string | null
}

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
  const sealed = seal(JSON.stringify(data), sealContext({ storeId: tx.storeId, mailId, to }))
  const payload = { mailId, kind, to, language, sealed, goodUntil: goodUntil?.toISOString() ?? null }
  await enqueue(tx, sendMail, payload, { id: mailId })
}

/** The same to one of those who run the platform, in a transaction of the platform. */
export async function queuePlatformMail<D extends TSchema>(
  knex: Knex,
  { name: kind }: MailDefinition<D>,
  to: string,
  data: Static<D>,
): Promise<void> {
  const mailId = newId()
  const sealed = seal(JSON.stringify(data), sealContext({ mailId, to }))
  await enqueueForPlatform(sendPlatformMail, { mailId, kind, to, sealed }, { knex, id: mailId })
}

/** Ties a mail's data to its recipient: put into another mail, it does not open. */
export const sealContext = ({
  storeId = 'platform',
  mailId,
  to,
}: {
  storeId?: string
  mailId: string
  to: string
}): string => `mail ${storeId} ${mailId} ${to}`
