import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { integrationsRemainMail } from '#shared/staff/mails/integrations-remain.ts'
import { nameIntegrations } from '#shared/staff/name-integrations.ts'
import { displacedMembers } from '#shared/staff/staff-email.ts'
import { findOwnerIfAny, lockStaffMember, StaffMember } from '#shared/staff/staff-member.ts'
import { endAccess } from './end-access.ts'

interface Restoration {
  /** The address of the super-admin who restores the store. */
  superAdmin: string
  findIntegrations: FindIntegrations
}

/**
 * Deactivates the members of a restored store whose addresses other accounts have taken while it was closed. Otherwise
 * two active accounts would share an address, and with it the count of failed sign-ins. The owner is mailed which
 * integrations of these members remain. The caller has locked the store exclusively.
 */
export async function deactivateDisplacedStaffMembers(tx: StoreTx, restoration: Restoration): Promise<void> {
  for (const { id } of await displacedMembers(tx).select('id')) {
    const member = await lockStaffMember(tx, id)
    await endAccess(tx, id)
    await StaffMember.in(tx)
      .findById(id)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(member) })
    await mailIntegrations(tx, member, restoration)
  }
}

async function mailIntegrations(
  tx: StoreTx,
  { id, email }: StaffMember,
  { superAdmin, findIntegrations }: Restoration,
): Promise<void> {
  const remaining = await findIntegrations(tx, [id])
  const owner = await findOwnerIfAny(tx)
  if (!owner || remaining.length === 0) return
  await queueMail(tx, integrationsRemainMail, toRecipient(owner), {
    change: 'deactivated',
    member: email,
    member_id: id,
    changed_by: superAdmin,
    ...nameIntegrations(remaining),
  })
}
