import type { Knex } from 'knex'

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
