import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
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

/** Queues a mail to the store's owner that staff can cause any number of times, as `queueMailByStaff` does. */
export async function mailOwnerByStaff<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  data: Static<D>,
): Promise<void> {
  const owner = await findOwnerIfAny(tx)
  if (owner?.isActive) await queueMailByStaff(tx, mail, toRecipient(owner), data)
}
