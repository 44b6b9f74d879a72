import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import { likePattern, sortOrder } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffMember } from './staff-member.ts'

export const STAFF_SORTS = ['created_at', '-created_at', 'email', '-email'] as const

export interface StaffFilter extends Paged {
  sort: (typeof STAFF_SORTS)[number]
  /** Part of the name or the e-mail address, in any case. */
  q?: string
  role?: string
  is_active?: boolean
}

/** One page of a store's staff, and their number. */
export async function listStaff(
  tx: StoreTx,
  { page, page_size, sort, q, role, is_active }: StaffFilter,
): Promise<Page<StaffMember>> {
  const staff = StaffMember.in(tx)
  if (role !== undefined) staff.where({ role })
  if (is_active !== undefined) staff.where({ is_active })
  if (q !== undefined) staff.whereRaw("concat_ws(' ', firstname, lastname, email) ilike ?", [likePattern(q)])
  const { by, direction } = sortOrder(sort)
  // Ids sort by the time of creation.
  if (by === 'email') staff.orderBy('email_normalized', direction)
  return staff.orderBy('id', direction).page(page - 1, page_size)
}
