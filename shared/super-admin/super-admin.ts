import { db } from '../platform/db.ts'

/** Someone who runs the platform. */
export interface SuperAdmin {
  id: string
  email: string
}

/** The address of a super-admin; null when there is none with that id. */
export async function findSuperAdminEmail(id: string): Promise<string | null> {
  const row = await db()('super_admins').where({ id }).first('email')
  return row?.email ?? null
}
