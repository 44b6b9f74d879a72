import type { AccessClaims } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'

/** The role of a staff member in their session. */
export interface StaffSession {
  role: string | null
  isOwner: boolean
  /** The rights of a role that the store defined; null for a preset. */
  customRights: string[] | null
  /** Whether it is a support session, in which a super-admin acts as an administrator. */
  isSupport: boolean
  /** Whether the owner allows support sessions to make changes now, and has no report of this session's changes yet. */
  supportMayWrite: boolean
  isSignInRecent: boolean
}

/** Checks a session of a staff member, and returns it with the role. */
export async function checkStaffSession(claims: AccessClaims): Promise<StaffSession> {
  const { isSignInRecent, columns } = await checkSession(claims)
  const [role = null, isOwner, customRights, isSupport, supportMayWrite] = columns
  return {
    role,
    isOwner: isOwner === 't',
    customRights: customRights ? JSON.parse(customRights) : null,
    isSupport: isSupport === 't',
    supportMayWrite: supportMayWrite === 't',
    isSignInRecent,
  }
}
