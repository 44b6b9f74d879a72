import type { Knex } from 'knex'
import { LOOKED_AT } from '#shared/identity/sessions/known-devices.ts'
import type { Device } from '#shared/identity/sessions/session.ts'

/** Where a super-admin's last sessions came from; of one that is not there, nowhere. */
export const lastDevicesOfSuperAdmin = (knex: Knex, superAdminId: string): Promise<Device[]> =>
  knex('super_admin_sessions')
    .where('super_admin_id', superAdminId)
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .select('ip', { userAgent: 'user_agent' })
