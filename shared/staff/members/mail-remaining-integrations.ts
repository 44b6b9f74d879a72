import type { Static } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type FindIntegrations, withLostRights } from '#shared/staff/integration.ts'
import { mailOwnerAndActor } from '#shared/staff/mail-owner-and-actor.ts'
import { integrationsRemainMail } from '#shared/staff/mails/integrations-remain.ts'
import { nameIntegrations } from '#shared/staff/name-integrations.ts'
import type { ActorAndTarget, Outcome } from '#shared/staff/roster.ts'

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
  const remaining = outcome?.isActive ? withLostRights(created, target, outcome) : created
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
