import { type Static, Type } from 'typebox'
import { Shape, Uuid } from '../platform/schema.ts'
import type { SuperAdmin } from './super-admin.ts'

export const SuperAdminView = Shape({ id: Uuid, email: Type.String() })

export const viewSuperAdmin = ({ id, email }: SuperAdmin): Static<typeof SuperAdminView> => ({ id, email })
