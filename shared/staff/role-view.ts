import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toTimestamp } from '#shared/platform/http/schema.ts'
import type { Role } from './role.ts'
import { knownRights, PRESET_ROLES, RIGHTS, rightsOf } from './roles.ts'

export const RightsView = Type.Array(Type.Enum([...RIGHTS]), {
  description: 'Areas as `sales:read`, and the single rights `refund` and `mark_paid`',
})

export const RoleView = Shape({
  id: Type.String({ description: 'A UUID; of a preset, its name' }),
  name: Type.String({ description: 'What the `role` of a user says' }),
  rights: RightsView,
  is_preset: Type.Boolean(),
  created_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
})

export const viewRole = (role: Role): Static<typeof RoleView> => ({
  id: role.id,
  name: role.name,
  rights: knownRights(role.rights),
  is_preset: false,
  created_at: toTimestamp(role.createdAt),
  updated_at: toTimestamp(role.updatedAt),
})

/** A role that every store has. */
export const viewPreset = (name: string): Static<typeof RoleView> => ({
  id: name,
  name,
  rights: [...rightsOf(name)],
  is_preset: true,
  created_at: null,
  updated_at: null,
})

export const presetViews = (): Static<typeof RoleView>[] => Object.keys(PRESET_ROLES).map(viewPreset)
