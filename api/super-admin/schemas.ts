import { Type } from 'typebox'
import { tokenPairProperties } from '#shared/accounts/view.ts'
import { Email, Shape } from '#shared/platform/schema.ts'
import { SuperAdminView } from '#shared/super-admin/view.ts'

export const SuperAdminLoginBody = Shape({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 128 }),
})

export const SuperAdminSignedIn = Shape({ ...tokenPairProperties, super_admin: SuperAdminView })
