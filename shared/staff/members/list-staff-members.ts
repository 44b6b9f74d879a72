import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RoleOfMember } from '#shared/staff/role.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

export const STAFF_MEMBERS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    email: 'email_normalized',
    lastname: ['lower(lastname)', 'lower(firstname)'],
  },
  order: 'created_at',
  searches: 'Part of the name or the e-mail address',
  text: ['firstname', 'lastname', 'email'],
  filters: {
    role: Type.Optional(RoleOfMember),
    is_active: Type.Optional(Type.Boolean()),
  },
})

export type StaffFilter = FilterOf<typeof STAFF_MEMBERS>

/** Returns one page of a store's staff, and their number. */
export async function listStaffMembers(tx: StoreTx, filter: StaffFilter): Promise<Page<StaffMember>> {
  const { role, is_active } = filter
  const staff = StaffMember.in(tx)
  if (role !== undefined) staff.where({ role })
  if (is_active !== undefined) staff.where({ is_active })
  return STAFF_MEMBERS.page(staff, filter)
}
