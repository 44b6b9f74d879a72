import { Type } from 'typebox'
import { Shape } from '#shared/platform/schema.ts'
import { RIGHTS } from '#shared/staff/roles.ts'

export const RoleParams = Shape({
  role_id: Type.String({ maxLength: 40, description: 'A UUID; of a preset, its name' }),
})

const RoleName = Type.String({
  pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$',
  maxLength: 40,
  description: 'Small letters, digits, and single - or _ between them',
})

/** In no order, each at most once as far as it matters: a right named twice is held once. */
export const Rights = Type.Array(Type.Enum([...RIGHTS]), { maxItems: RIGHTS.length, uniqueItems: true })

export const CreateRoleRequest = Shape({ name: RoleName, rights: Rights })

export const ChangeRoleRequest = Shape(
  { name: Type.Optional(RoleName), rights: Type.Optional(Rights) },
  { minProperties: 1 },
)
