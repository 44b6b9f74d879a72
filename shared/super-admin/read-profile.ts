import type { Static } from 'typebox'
import { readTwoFactor } from '#shared/identity/two-factor/standing.ts'
import { db } from '#shared/platform/db/db.ts'
import { factorOwner } from './factor-owner.ts'
import type { SuperAdmin } from './super-admin.ts'
import { type SuperAdminProfileView, viewSuperAdminProfile } from './view.ts'

/** What a super-admin sees of themself. */
export const readSuperAdminProfile = async (
  superAdmin: SuperAdmin,
): Promise<Static<typeof SuperAdminProfileView>> =>
  viewSuperAdminProfile(superAdmin, await readTwoFactor(factorOwner(db(), superAdmin.id)))
