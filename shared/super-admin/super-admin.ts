import type { Knex } from 'knex'
import { closeEverySession } from '#shared/identity/sessions/close-sessions.ts'
import { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Someone who runs the platform. */
export interface SuperAdmin {
  id: string
  email: string
}

/** The address of a super-admin; null when there is none with that id. */
export async function findSuperAdminEmail(knex: Knex, id: string): Promise<string | null> {
  const row = await knex('super_admins').where({ id }).first('email')
  return row?.email ?? null
}

/** Closes every session of every super-admin, and their support sessions in stores; returns how many of the former. */
export async function closeEverySuperAdminSession(knex: Knex.Transaction): Promise<number> {
  await knex('super_admins').update('signed_out_at', now())
  return closeEverySession(new PlatformTx(knex), 'revoked')
}
