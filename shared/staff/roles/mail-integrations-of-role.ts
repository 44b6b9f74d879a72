import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type FindIntegrations, withLostRights } from '#shared/staff/integration.ts'
import { mailOwnerAndActor } from '#shared/staff/mail-owner-and-actor.ts'
import { roleNarrowedMail } from '#shared/staff/mails/role-narrowed.ts'
import { nameIntegrationsOf } from '#shared/staff/name-integrations.ts'
import { knownRights, type Right } from '#shared/staff/rights.ts'
import type { Role } from '#shared/staff/role.ts'
import type { StaffActor } from '#shared/staff/roster.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

/**
 * Mails the owner and the actor which integrations the active members of a role created that they may not create with
 * its next rights. One mail names those of all members. Queues no mail if there are none.
 */
export async function mailIntegrationsOfRole(
  tx: StoreTx,
  actor: StaffActor,
  role: Role,
  rights: readonly Right[],
  find: FindIntegrations,
): Promise<void> {
  const members = await StaffMember.in(tx).where({ role: role.name, is_active: true }).select('id', 'email')
  const emails = new Map(members.map(({ id, email }) => [id, email]))
  const created = await find(tx, [...emails.keys()])
  const remaining = withLostRights(created, { rights: knownRights(role.rights) }, { rights })
  if (remaining.length === 0) return
  const named = nameIntegrationsOf(remaining, emails)
  const data = { role: role.name, changed_by: actor.member.email, ...named }
  await mailOwnerAndActor(tx, roleNarrowedMail, data, actor)
}
