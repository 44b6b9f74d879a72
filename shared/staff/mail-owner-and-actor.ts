import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueMailOfChange, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { holds } from './rights.ts'
import type { StaffActor } from './roster.ts'
import { findOwnerIfAny } from './staff-member.ts'

/**
 * Mails the owner and the actor of a change which integrations remain. An owner who is the actor gets one mail. An
 * actor who may not read integrations, or who changes their own account (`isOwn`), gets none.
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
  // The mail to the actor has no limit, because nobody else can cause it.
  if (!isOwn && holds(actor, ['system:read'])) await queueMail(tx, mail, toRecipient(actor.member), data)
}
