import { Type } from 'typebox'
import { ConfirmSecondFactorRequest, NewPassword, PersonName } from '#api/identity/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Changes, Email, Line, Name, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { STAFF_MEMBERS } from '#shared/staff/members/list-staff-members.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { RoleOfMember, RoleView } from '#shared/staff/role.ts'

export const RoleParams = Shape({
  role_id: { ...RoleView.properties.id, maxLength: 40 },
})

const RoleName = Type.String({
  pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$',
  maxLength: 40,
  description: 'Lower-case letters and digits, with single - or _ between them',
})

/** In any order. Duplicates have no effect. */
const Rights = Type.Array(Type.Enum([...RIGHTS]), { maxItems: RIGHTS.length, uniqueItems: true })

export const CreateRoleRequest = Shape({ name: RoleName, rights: Rights })

export const UpdateRoleRequest = Changes(CreateRoleRequest.properties)

export const UserParams = Shape({ user_id: Uuid })

const userFields = {
  email: Email,
  firstname: PersonName,
  lastname: PersonName,
  role: RoleOfMember,
}

export const CreateUserRequest = Shape({
  ...userFields,
  password: Type.Optional(
    Type.String({ ...NewPassword, description: 'Omit it to mail the member a link to choose one' }),
  ),
})

export const UpdateUserRequest = Changes({
  ...userFields,
  is_active: Type.Boolean({ description: 'false also closes all their sessions and voids mailed links' }),
})

export const UserListQuery = listQuery(STAFF_MEMBERS)

export const TransferOwnershipRequest = Shape({
  user_id: Type.String({ ...Uuid, description: 'The id of the new owner' }),
  ...ConfirmSecondFactorRequest.properties,
})

export const ApiTokenParams = Shape({ token_id: Uuid })

const tokenFields = {
  name: Name(100),
  rights: Rights,
  expires_at: Type.Optional(Nullable(Timestamp)),
}

export const CreateApiTokenRequest = Shape({
  ...tokenFields,
  mode: Type.Optional(Type.Enum(['live', 'test'], { description: 'Default: live' })),
})

export const UpdateApiTokenRequest = Changes(tokenFields)

export const GrantSupportAccessRequest = Shape({
  minutes: Type.Integer({ minimum: 1, maximum: 1440, default: 60 }),
})

export const ChangeOwnerRequest = Shape({ user_id: Uuid })

export const SupportSignInRequest = Shape({
  reason: Line(500),
  minutes: Type.Integer({ minimum: 1, maximum: 60, default: 30 }),
})
