import type { Static, TSchema } from 'typebox'
import type { IdentityTx } from '#shared/identity/principal.ts'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueNotice, queuePlatformMail, type Recipient } from '#shared/mail/queue-mail.ts'

/** Mails the owner of an account about an event. The sender is the store, or the platform for a super-admin. */
export const notify = <D extends TSchema>(
  tx: IdentityTx,
  mail: MailDefinition<D>,
  recipient: Recipient,
  data: Static<D>,
): Promise<void> =>
  tx.storeId !== null
    ? queueNotice(tx, mail, recipient, data)
    : queuePlatformMail(tx, mail, recipient.email, data)
