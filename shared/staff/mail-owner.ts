import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOwnerIfAny } from './staff-member.ts'

/** Sends a mail to the store's owner, in the transaction of the change that it tells of. A store without one gets none. */
export async function mailOwner<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  data: Static<D>,
): Promise<void> {
  const owner = await findOwnerIfAny(tx)
  if (owner?.isActive) await queueMail(tx, mail, { email: owner.email, language: null }, data)
}
