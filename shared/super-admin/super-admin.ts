import type { Knex } from 'knex'
import { type Static, Type } from 'typebox'
import { closeSessionsInScope } from '#shared/identity/sessions/close-sessions.ts'
import {
  readTwoFactor,
  type TwoFactorState,
  twoFactorProperties,
  viewTwoFactor,
} from '#shared/identity/two-factor/two-factor.ts'
import { inScope, type PlatformTx } from '#shared/platform/db/store-scope.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Someone who runs the platform. */
export interface SuperAdmin {
  id: string
  email: string
}

/** Returns the address of a super-admin; null if there is none with that id. */
export async function findSuperAdminEmail(knex: Knex, id: string): Promise<string | null> {
  const row = await knex('super_admins').where({ id }).first('email')
  return row?.email ?? null
}

/** Whether a super-admin has the normalized address. */
export const isSuperAdminEmail = async (knex: Knex, emailNormalized: string): Promise<boolean> =>
  (await knex('super_admins').where('email_normalized', emailNormalized).first('id')) !== undefined

/** Returns the addresses of all active super-admins. */
export const listSuperAdminEmails = (knex: Knex): PromiseLike<string[]> =>
  knex('super_admins').where('is_active', true).orderBy('id').pluck('email')

/**
 * Closes all sessions of all super-admins, and their support sessions in stores. Returns how many sessions of
 * super-admins it closed, without support sessions.
 */
export async function closeEverySuperAdminSession(tx: PlatformTx): Promise<number> {
  // Read the time after the wait for the locks: a support session that is being opened is then older.
  await tx.knex('super_admins').orderBy('id').forNoKeyUpdate().select('id')
  await tx.knex('super_admins').update('signed_out_at', now())
  return closeSessionsInScope(tx, 'revoked')
}

const superAdminProperties = { id: Uuid, email: Type.String() }

export const SuperAdminView = Shape(superAdminProperties)

export const viewSuperAdmin = ({ id, email }: SuperAdmin): Static<typeof SuperAdminView> => ({ id, email })

export const SuperAdminProfileView = Shape({ ...superAdminProperties, ...twoFactorProperties })

export const viewSuperAdminProfile = (
  superAdmin: SuperAdmin,
  twoFactor: TwoFactorState,
): Static<typeof SuperAdminProfileView> => ({ ...viewSuperAdmin(superAdmin), ...viewTwoFactor(twoFactor) })

/** Returns a super-admin's own profile. */
export const readSuperAdminProfile = async (
  superAdmin: SuperAdmin,
): Promise<Static<typeof SuperAdminProfileView>> =>
  viewSuperAdminProfile(
    superAdmin,
    await inScope(null, (tx) => readTwoFactor(tx, { type: 'super_admin', id: superAdmin.id })),
  )
