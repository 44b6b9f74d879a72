import { AuthErrors } from '#shared/identity/errors.ts'
import { type AccessClaims, verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { checkApiToken } from '#shared/staff/api-tokens/check-api-token.ts'
import { isApiToken, readApiToken } from '#shared/staff/api-tokens/token-text.ts'
import { checkStaffSession } from '#shared/staff/check-staff-session.ts'
import { rightsOf } from '#shared/staff/rights.ts'
import { findStoreById, type TenantContext } from '#shared/stores/find-store.ts'
import type { ApiTokenCaller, StaffCaller, StaffOrApiToken } from './callers.ts'

interface StaffInStore<S> {
  tenant: TenantContext
  staff: S
}

/**
 * Returns the staff member or API token of a bearer token, and the store. Token and store are read at the same time.
 */
export const findStaff = (token: string): Promise<StaffInStore<StaffOrApiToken>> =>
  isApiToken(token) ? findByApiToken(token) : findByAccessToken(verifyAccessToken(token))

/** Whether a bearer token belongs to a store's staff. Throws 401 for a token that this service did not issue. */
export const isStaffToken = (token: string): boolean =>
  isApiToken(token) || verifyAccessToken(token).accountType === 'staff'

async function findByAccessToken(claims: AccessClaims): Promise<StaffInStore<StaffCaller>> {
  if (claims.accountType !== 'staff') throw AuthErrors.notAuthenticated()
  const { accountId: id, sessionId, storeId } = claims
  const [{ role, customRights, ...session }, tenant] = await Promise.all([
    checkStaffSession(claims),
    findStoreById(storeId),
  ])
  if (!isActive(tenant) || !role) throw AuthErrors.sessionRevoked()
  const rights = rightsOf(role, customRights)
  return {
    tenant,
    staff: {
      type: 'staff',
      id,
      name: `staff:${id}`,
      sessionId,
      role,
      ...session,
      rights,
    },
  }
}

async function findByApiToken(text: string): Promise<StaffInStore<ApiTokenCaller>> {
  const presented = readApiToken(text)
  if (!presented) throw AuthErrors.notAuthenticated()
  const [{ id, createdBy, rights }, tenant] = await Promise.all([
    checkApiToken(presented),
    findStoreById(presented.storeId),
  ])
  if (!isActive(tenant)) throw AuthErrors.sessionRevoked()
  return { tenant, staff: { type: 'api_token', id, createdBy, name: `api_token:${id}`, rights } }
}

const isActive = (tenant: TenantContext | undefined): tenant is TenantContext =>
  tenant?.store.status === 'active'
