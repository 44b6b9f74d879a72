import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueMailOfChange, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { holds } from './rights.ts'
import type { StaffActor } from './roster.ts'
import { findOwnerIfAny } from './staff-member.ts'

/**
 * Mails which integrations remain to the owner, if that is not the actor, and to the actor unless the change is of the
 * actor's own account.
 */
export async function mailOwnerAndActor<D extends TSchema>(
  tx: StoreTx,
  mail: MailDefinition<D>,
  data: Static<D>,
  actor: StaffActor,
  { isOwn = false } = {},
): Promise<void> {
  const owner = await findOwnerIfAny(tx)
  if (owner && owner.id !== actor.member.id)
    await queueMailOfChange(tx, mail, toRecipient(owner), data, actor.member.id)
  // The actor's own mail has no limit: others cannot use it up. It names integrations, which not everybody may see.
  if (!isOwn && holds(actor, ['system:read'])) await queueMail(tx, mail, toRecipient(actor.member), data)
}
