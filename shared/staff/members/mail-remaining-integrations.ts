import type { Static } from 'typebox'
import { queueMail, queueNotice, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations, Integration } from '#shared/staff/integration.ts'
import { integrationsRemainMail } from '#shared/staff/mails/integrations-remain.ts'
import { holds } from '#shared/staff/rights.ts'
import type { ActorAndTarget, Outcome } from '#shared/staff/roster.ts'
import { findOwnerIfAny } from '#shared/staff/staff-member.ts'

const MAX_NAMED = 100
// Otherwise staff could fill the owner's mailbox by switching an account off and on.
const MOST_PER_HOUR = 20

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
  const created = await find(tx, target.member.id)
  const remaining = outcome?.isActive
    ? created.filter(({ needs }) => holds(target, needs) && !holds(outcome, needs))
    : created
  if (remaining.length === 0) return
  const data = {
    change: changeOf({ actor, target }, outcome),
    member: target.member.email,
    member_id: target.member.id,
    changed_by: actor.member.email,
    ...describe(remaining),
  }
  const owner = await findOwnerIfAny(tx)
  if (owner && owner.id !== actor.member.id)
    await queueNotice(tx, integrationsRemainMail, toRecipient(owner), data, MOST_PER_HOUR)
  // The actor's own mail has no limit: others cannot use it up. It names integrations, which not everybody may see.
  if (actor.member.id !== target.member.id && holds(actor, ['system:read']))
    await queueMail(tx, integrationsRemainMail, toRecipient(actor.member), data)
}

type Data = Static<typeof integrationsRemainMail.data>

function changeOf({ actor, target }: ActorAndTarget, outcome: Outcome): Data['change'] {
  if (!outcome) return actor.member.id === target.member.id ? 'left' : 'removed'
  return outcome.isActive ? 'demoted' : 'deactivated'
}

const describe = (remaining: Integration[]): Pick<Data, 'integrations' | 'more'> => ({
  integrations: remaining.slice(0, MAX_NAMED).map(({ kind, name, isActive, createdAt }) => ({
    kind,
    name,
    is_active: isActive,
    created_at: createdAt.toISOString(),
  })),
  more: Math.max(0, remaining.length - MAX_NAMED),
})
