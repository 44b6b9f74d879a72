import { normalizeEmail } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { enterDirectory } from './directory.ts'
import { lockStaffMember } from './find-staff-member.ts'
import { StaffMember } from './staff-member.ts'

/**
 * Gives a staff member another address, which has been proven to be theirs. Links, sessions and notices are the
 * caller's to see to. Throws `auth.email_taken` when anyone on the platform's staff has it.
 */
export async function setStaffEmail(tx: StoreTx, id: string, email: string): Promise<void> {
  const member = await lockStaffMember(tx, id)
  const emailNormalized = normalizeEmail(email)
  if (emailNormalized !== member.emailNormalized) await enterDirectory(tx, id, emailNormalized)
  await StaffMember.in(tx)
    .findById(id)
    .patch({ email, emailNormalized, updatedAt: nextUpdatedAt(member) })
}
