import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { lockStaffMember, StaffMember } from './staff-member.ts'

/** Changes a staff member's name, or the part of it that is given. */
export async function renameStaffMember(
  tx: StoreTx,
  id: string,
  { firstname, lastname }: { firstname?: string | undefined; lastname?: string | undefined },
): Promise<StaffMember> {
  const member = await lockStaffMember(tx, id)
  return StaffMember.in(tx).patchAndFetchById(id, { firstname, lastname, updatedAt: nextUpdatedAt(member) })
}
