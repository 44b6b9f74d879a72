import { now } from '../platform/clock.ts'
import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { StaffMember } from './staff-member.ts'

/** Changes a staff member's name, or the part of it that is given. */
export async function renameStaffMember(
  tx: StoreTx,
  id: string,
  { firstname, lastname }: { firstname?: string | undefined; lastname?: string | undefined },
): Promise<StaffMember> {
  const [member] = await StaffMember.in(tx)
    .where('id', id)
    .patch({ firstname, lastname, updatedAt: now() })
    .returning('*')
  if (!member) throw CommonErrors.notFound()
  return member
}
