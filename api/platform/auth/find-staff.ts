import { AuthErrors } from '#shared/identity/errors.ts'
import { type AccessClaims, verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import { checkApiToken } from '#shared/staff/api-tokens/check-token.ts'
import { isApiToken, readApiToken } from '#shared/staff/api-tokens/token-text.ts'
import { rightsOf } from '#shared/staff/roles.ts'
import { findStoreById, type TenantContext } from '#shared/stores/find-store.ts'
import type { ApiToken, StaffMember } from './access.ts'

interface Found<S> {
  visit: TenantContext
  staff: S
}

/** Whose staff token or API token it is, and the store. The token and its store are looked up at the same time. */
export const findStaff = (token: string): Promise<Found<StaffMember | ApiToken>> =>
  isApiToken(token) ? byApiToken(token) : byAccessToken(verifyAccessToken(token))

/** Whether a bearer token speaks for a store's staff; 401 for one that is not ours. */
export const isStaffToken = (token: string): boolean =>
  isApiToken(token) || verifyAccessToken(token).accountType === 'staff'

async function byAccessToken(claims: AccessClaims): Promise<Found<StaffMember>> {
  if (claims.accountType !== 'staff') throw AuthErrors.notAuthenticated()
  const { accountId: id, sessionId, storeId } = claims
  const [{ role, isOwner, ownRights, isSupport }, visit] = await Promise.all([
    checkSession(claims),
    findStoreById(storeId),
  ])
  if (!isOpen(visit) || !role) throw AuthErrors.sessionRevoked()
  const rights = rightsOf(role, ownRights)
  return {
    visit,
    staff: { type: 'staff', id, name: `staff:${id}`, sessionId, role, isOwner, isSupport, rights },
  }
}

async function byApiToken(text: string): Promise<Found<ApiToken>> {
  const presented = readApiToken(text)
  if (!presented) throw AuthErrors.notAuthenticated()
  const [{ id, rights }, visit] = await Promise.all([
    checkApiToken(presented),
    findStoreById(presented.storeId),
  ])
  if (!isOpen(visit)) throw AuthErrors.sessionRevoked()
  return { visit, staff: { type: 'api_token', id, name: `api_token:${id}`, rights } }
}

const isOpen = (visit: TenantContext | undefined): visit is TenantContext => visit?.store.status === 'active'
