import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueMailOfChange, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOwnerIfAny } from '#shared/staff/staff-member.ts'

/**
 * Queues a mail to the store's owner in the transaction of the reported change. A store without an owner gets no mail.
 */
export async function mailOwner<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  data: Static<D>,
): Promise<void> {
  const owner = await findOwnerIfAny(tx)
  if (owner?.isActive) await queueMail(tx, mail, toRecipient(owner), data)
}

/**
 * Queues a mail to the store's owner about a change, as `queueMailOfChange` does. The owner's own changes have no
 * limit, and neither have those without an actor: they may undo the changes of others.
 */
export async function mailOwnerOfChange<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  data: Static<D>,
  actorId: string | null,
): Promise<void> {
  const owner = await findOwnerIfAny(tx)
  if (!owner?.isActive) return
  if (actorId === null || actorId === owner.id) await queueMail(tx, mail, toRecipient(owner), data)
  else await queueMailOfChange(tx, mail, toRecipient(owner), data, actorId)
}
