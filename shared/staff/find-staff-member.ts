import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { StaffMember } from './staff-member.ts'

/** A staff member of the store; 404 `resource.not_found` when it has none with that id. */
export async function findStaffMember(tx: StoreTx, id: string): Promise<StaffMember> {
  const member = await StaffMember.in(tx).findById(id)
  if (!member) throw CommonErrors.notFound()
  return member
}
