import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockStaffMember, StaffMember } from '#shared/staff/staff-member.ts'

/** Changes the first name, the last name, or both of a staff member. */
export async function updateStaffName(
  tx: StoreTx,
  id: string,
  { firstname, lastname }: { firstname?: string | undefined; lastname?: string | undefined },
): Promise<StaffMember> {
  const member = await lockStaffMember(tx, id)
  return StaffMember.in(tx).patchAndFetchById(id, { firstname, lastname, updatedAt: nextUpdatedAt(member) })
}
