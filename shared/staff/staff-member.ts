import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** A member of a store's staff. */
export class StaffMember extends StoreModel {
  static override tableName = 'staff_members'

  declare email: string
  /** The normalized address, unique on the platform among active staff by `staff_directory`. */
  declare emailNormalized: string
  declare passwordHash: string
  declare firstname: string
  declare lastname: string
  declare role: string
  /** Whether this is the store's only owner. Nobody else may change the owner. */
  declare isOwner: boolean
  declare isActive: boolean
  /** When a mailed link proved the address; null while only another member has given it. */
  declare verifiedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** Returns a staff member of the store. Throws `resource.not_found` if there is none with that id. */
export const findStaffMember = async (tx: StoreTx, id: string): Promise<StaffMember> =>
  assertFound(await StaffMember.in(tx).findById(id))

/**
 * Locks a staff member. A concurrent sign-in has either committed or waits. Throws `resource.not_found` if there is no
 * such member.
 */
export const lockStaffMember = async (tx: StoreTx, id: string): Promise<StaffMember> =>
  assertFound(await StaffMember.in(tx).findById(id).forNoKeyUpdate())

/** Returns the address of a staff member; null when the store has none with that id. */
export async function findStaffEmail(tx: StoreTx, id: string): Promise<string | null> {
  const member = await StaffMember.in(tx).findById(id).select('email')
  return member?.email ?? null
}

/** Returns the store's owner. Throws `resource.not_found` if there is none. */
export const findOwner = async (tx: StoreTx): Promise<StaffMember> => assertFound(await findOwnerIfAny(tx))

/** Returns the store's owner; undefined before the first one is set. */
export const findOwnerIfAny = async (tx: StoreTx): Promise<StaffMember | undefined> =>
  StaffMember.in(tx).findOne('is_owner', true)

export const staffMemberProperties = {
  id: Uuid,
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  role: Type.String(),
  is_owner: Type.Boolean(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const StaffMemberView = Shape(staffMemberProperties)

export const viewStaffMember = (member: StaffMember): Static<typeof StaffMemberView> => ({
  id: member.id,
  email: member.email,
  firstname: member.firstname,
  lastname: member.lastname,
  role: member.role,
  is_owner: member.isOwner,
  is_active: member.isActive,
  created_at: toTimestamp(member.createdAt),
  updated_at: toTimestamp(member.updatedAt),
})
