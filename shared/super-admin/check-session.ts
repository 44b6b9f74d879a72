import { AuthErrors } from '#shared/identity/errors.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { SuperAdminClaims } from './access-token.ts'
import type { SuperAdmin } from './super-admin.ts'

const CHECK_SESSION = {
  name: 'check_super_admin_session',
  text: `
    select a.email from super_admin_sessions s join super_admins a on a.id = s.super_admin_id
    where s.id = $1::uuid and a.id = $2::uuid and s.closed_at is null and s.expires_at > $3::timestamptz and a.is_active`,
}

/** Asks, on every call, whether the token's session is open and its owner active. Throws `auth.session_revoked`. */
export async function checkSuperAdminSession({
  superAdminId,
  sessionId,
}: SuperAdminClaims): Promise<SuperAdmin> {
  const [row] = await readOnPlatform(CHECK_SESSION, [sessionId, superAdminId, now().toISOString()])
  const email = row?.[0]
  if (!email) throw AuthErrors.sessionRevoked()
  return { id: superAdminId, email }
}
