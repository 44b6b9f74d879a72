import { definePrincipal, type IdentityTx } from '#shared/identity/principal.ts'
import { HOUR_MS, now } from '#shared/platform/time/clock.ts'
import { isSuperAdminEmail } from './super-admin.ts'

export const superAdminPrincipal = definePrincipal({
  type: 'super_admin',
  table: 'super_admins',
  audience: 'commerce-platform',
  accessTokenSeconds: 15 * 60,
  // Super-admins sign in every morning.
  idleMs: 12 * HOUR_MS,
  closesReusedSession: true,
  emailScope: 'staff',
  credentials: {
    account: `
      select null as store_id, id, password_hash from super_admins
      where email_normalized = $1 and is_active`,
  },
  sessionCheck: {
    joins: 'join super_admins a on a.id = s.account_id',
    isActive: 'a.is_active',
    columns: 'a.email',
  },
  supportCheck: {
    joins: 'left join super_admins a on s.support_reason is not null and a.id = s.account_id',
    isActive: "a.is_active and s.created_at > coalesce(a.signed_out_at, '-infinity')",
  },
  isEmailTaken: ({ knex }, emailNormalized) => isSuperAdminEmail(knex, emailNormalized),
  // Also ends the support sessions in stores, which check `signed_out_at`. An account is always locked before its
  // sessions.
  async beforeSignOutEverywhere({ knex }: IdentityTx, id: string) {
    // Read the time after the wait for the lock: a support session that is being opened is then older.
    await knex('super_admins').where({ id }).forNoKeyUpdate().first('id')
    await knex('super_admins').where({ id }).update({ signed_out_at: now() })
  },
})
