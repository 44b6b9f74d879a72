import type { Static } from 'typebox'
import { readTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import type { SuperAdmin } from './super-admin.ts'
import { type SuperAdminProfileView, viewSuperAdminProfile } from './view.ts'

/** What a super-admin sees of themself. */
export const readSuperAdminProfile = async (
  superAdmin: SuperAdmin,
): Promise<Static<typeof SuperAdminProfileView>> =>
  viewSuperAdminProfile(
    superAdmin,
    await inScope(null, (tx) => readTwoFactor(tx, { type: 'super_admin', id: superAdmin.id })),
  )
