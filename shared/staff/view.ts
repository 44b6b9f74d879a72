import { type Static, Type } from 'typebox'
import { Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { StaffMember } from './staff-member.ts'

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
