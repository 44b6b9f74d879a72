import type { AccessClaims } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'

/** The role of a staff member in their session. */
export interface StaffSession {
  role: string | null
  isOwner: boolean
  /** The rights of a role that the store defined; null for a preset. */
  ownRights: string[] | null
  /** The session of a super-admin who gives support, as an administrator. */
  isSupport: boolean
}

/** As `checkSession`, of a staff member, with their role. */
export async function checkStaffSession(claims: AccessClaims): Promise<StaffSession> {
  const [role = null, isOwner, ownRights, isSupport] = await checkSession(claims)
  return {
    role,
    isOwner: isOwner === 't',
    ownRights: ownRights ? JSON.parse(ownRights) : null,
    isSupport: isSupport === 't',
  }
}
