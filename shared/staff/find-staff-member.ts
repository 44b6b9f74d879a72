import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { StaffMember } from './staff-member.ts'

/** A staff member of the store; 404 `resource.not_found` when it has none with that id. */
export const findStaffMember = async (tx: StoreTx, id: string): Promise<StaffMember> =>
  present(await StaffMember.in(tx).findById(id))

/** The same, locked: nobody signs in to the account meanwhile, or else it was before. */
export const lockStaffMember = async (tx: StoreTx, id: string): Promise<StaffMember> =>
  present(await StaffMember.in(tx).findById(id).forNoKeyUpdate())

/** The address of a staff member; null when the store has none with that id. */
export async function findStaffEmail(tx: StoreTx, id: string): Promise<string | null> {
  const member = await StaffMember.in(tx).findById(id).select('email')
  return member?.email ?? null
}

/** The store's owner; 404 when it has none. */
export const findOwner = async (tx: StoreTx): Promise<StaffMember> => present(await ownerOf(tx))

/** The same, where a store may have none: until it is given its first. */
export const ownerOf = async (tx: StoreTx): Promise<StaffMember | undefined> =>
  StaffMember.in(tx).findOne('is_owner', true)

function present(member: StaffMember | undefined): StaffMember {
  if (!member) throw CommonErrors.notFound()
  return member
}
