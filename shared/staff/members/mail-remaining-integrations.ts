import type { Static, TSchema } from 'typebox'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueMailOfChange, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations, Integration } from '#shared/staff/integration.ts'
import { integrationsRemainMail } from '#shared/staff/mails/integrations-remain.ts'
import { nameIntegrations } from '#shared/staff/name-integrations.ts'
import { holds, type RightsHolder } from '#shared/staff/rights.ts'
import type { ActorAndTarget, Outcome, StaffActor } from '#shared/staff/roster.ts'
import { findOwnerIfAny } from '#shared/staff/staff-member.ts'

/**
 * Mails the owner, and the actor if that is another person, which integrations of a staff member remain after a
 * removal, a deactivation, or a demotion that takes the rights to create them. Queues no mail if there are none.
 */
export async function mailRemainingIntegrations(
  tx: StoreTx,
  { actor, target }: ActorAndTarget,
  outcome: Outcome,
  find: FindIntegrations,
): Promise<void> {
  const created = await find(tx, [target.member.id])
  const remaining = outcome?.isActive ? created.filter(isLost(target, outcome)) : created
  if (remaining.length === 0) return
  const data = {
    change: changeOf({ actor, target }, outcome),
    member: target.member.email,
    member_id: target.member.id,
    changed_by: actor.member.email,
    ...nameIntegrations(remaining),
  }
  const isOwn = actor.member.id === target.member.id
  await mailOwnerAndActor(tx, integrationsRemainMail, data, actor, { isOwn })
}

type Data = Static<typeof integrationsRemainMail.data>

function changeOf({ actor, target }: ActorAndTarget, outcome: Outcome): Data['change'] {
  if (!outcome) return actor.member.id === target.member.id ? 'left' : 'removed'
  return outcome.isActive ? 'demoted' : 'deactivated'
}

/** Returns whether an integration needs rights that its creator had before a change, and lacks after it. */
export const isLost =
  (before: RightsHolder, after: RightsHolder) =>
  ({ needs }: Integration): boolean =>
    holds(before, needs) && !holds(after, needs)

/** Mails the owner, if that is not the actor, and the actor unless the change is of the actor's own account. */
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
