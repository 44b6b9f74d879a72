import { definePrincipal, principalOf } from '#shared/identity/principal.ts'
import { IS_OPENER_OPEN } from '#shared/identity/sessions/session.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { isStaffEmail, markStaffEmailVerified, setStaffEmail } from './staff-email.ts'

export const staffPrincipal = definePrincipal({
  type: 'staff',
  table: 'staff_members',
  audience: 'commerce',
  accessTokenSeconds: 15 * 60,
  idleMs: 7 * DAY_MS,
  closesReusedSession: true,
  emailScope: 'staff',
  credentials: {
    store: 'select store_id from staff_directory where email_normalized = $1',
    account: `
      select m.store_id, m.id, m.password_hash
      from staff_directory d
      join staff_members m on m.store_id = d.store_id and m.id = d.staff_id
      where d.email_normalized = $1`,
  },
  // A support session belongs to a super-admin, who is an administrator of the store as long as it lasts. It ends when
  // the super-admin closes the session that opened it, or signs out everywhere.
  get sessionCheck() {
    const support = supportCheck()
    return {
      joins: `
        left join staff_members m on m.store_id = s.store_id and m.id = s.account_id
        ${support.joins}
        left join support_consents c on c.store_id = s.store_id
        left join roles r on r.store_id = m.store_id and r.name = m.role`,
      isActive: `coalesce(m.is_active, ${support.isActive} and ${IS_OPENER_OPEN})`,
      columns: `case when s.support_reason is null then m.role else 'administrator' end, m.is_owner, to_json(r.rights),
        s.support_reason is not null,
        c.expires_at > $3::timestamptz and s.support_reported_at is null`,
    }
  },
  setEmail: setStaffEmail,
  isEmailTaken: isStaffEmail,
  markEmailVerified: markStaffEmailVerified,
})

// Staff may not import super-admins.
function supportCheck() {
  const { supportCheck: check } = principalOf('super_admin')
  if (!check) throw new Error('Super-admins have no check of their support sessions')
  return check
}
