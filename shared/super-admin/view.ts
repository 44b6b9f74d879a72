import { type Static, Type } from 'typebox'
import {
  type TwoFactorState,
  twoFactorProperties,
  viewTwoFactor,
} from '#shared/identity/two-factor/two-factor.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import type { SuperAdmin } from './super-admin.ts'

const superAdminProperties = { id: Uuid, email: Type.String() }

export const SuperAdminView = Shape(superAdminProperties)

export const viewSuperAdmin = ({ id, email }: SuperAdmin): Static<typeof SuperAdminView> => ({ id, email })

export const SuperAdminProfileView = Shape({ ...superAdminProperties, ...twoFactorProperties })

export const viewSuperAdminProfile = (
  superAdmin: SuperAdmin,
  twoFactor: TwoFactorState,
): Static<typeof SuperAdminProfileView> => ({ ...viewSuperAdmin(superAdmin), ...viewTwoFactor(twoFactor) })
