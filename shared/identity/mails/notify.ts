import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueNotice, queuePlatformMail, type Recipient } from '#shared/mail/queue-mail.ts'
import type { IdentityTx } from '../principal.ts'

/** Mails the owner of an account what happened to it: in the store's name, or in the platform's to a super-admin. */
export const notify = <D extends TSchema>(
  tx: IdentityTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
): Promise<void> =>
  tx.storeId
    ? queueNotice(tx, mail, recipient, data)
    : queuePlatformMail(tx.knex, mail, recipient.email, data)
