import type { Context } from 'koa'
import { AuthErrors } from '#shared/identity/errors.ts'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { ApiTokenErrors } from '#shared/staff/api-tokens/errors.ts'
import { assertMay } from '#shared/staff/may.ts'
import { findStoreById, type TenantContext } from '#shared/stores/find-store.ts'
import { verifySuperAdminToken } from '#shared/super-admin/access-token.ts'
import { checkSuperAdminSession } from '#shared/super-admin/check-session.ts'
import type { Access, ApiToken, Customer, StaffMember } from './access.ts'
import { bearerOf } from './bearer.ts'
import { clientAddress } from './client-address.ts'
import { findStaff, isStaffToken } from './find-staff.ts'
import { assertNamesNoOther, findStore, resolveStore } from './resolve-store.ts'

/** A request that was let in: its store, what its handler is given, and the name its idempotency keys go by. */
export interface AuthContext {
  visit: TenantContext | undefined
  given: Record<string, unknown>
  principal: string
}

/** Lets a request in as its operation's access asks, or throws the refusal. */
export async function authenticate(ctx: Context, access: Access): Promise<AuthContext> {
  switch (access.kind) {
    case 'open':
      return authContext(await findStore(ctx), {}, 'anyone')
    case 'storefront':
      return authContext(await resolveStore(ctx), {}, 'anyone')
    case 'guest':
      return authenticateGuest(ctx)
    case 'customer':
      return authenticateCustomer(ctx)
    case 'staff':
      return authenticateStaff(ctx, access)
    case 'account':
      return authenticateAccount(ctx)
    case 'super_admin':
      return authenticateSuperAdmin(ctx, access)
  }
}

const authContext = (
  visit: TenantContext | undefined,
  given: Record<string, unknown>,
  principal: string,
): AuthContext => ({
  visit,
  given,
  principal,
})

async function authenticateGuest(ctx: Context): Promise<AuthContext> {
  const visit = await resolveStore(ctx)
  const cartToken = ctx.get('X-Cart-Token') || null
  const customer = ctx.get('Authorization') ? await customerOf(ctx, visit) : null
  // Who has no cart yet is known by address alone: an answer kept for one, with the cart's token, is not for another who
  // comes with the same key.
  const principal = customer
    ? `customer:${customer.id}`
    : `guest:${sha256(cartToken ? `cart ${cartToken}` : `address ${clientAddress(ctx.ip)}`).toString('base64url')}`
  return authContext(visit, { customer, cartToken }, principal)
}

async function authenticateCustomer(ctx: Context): Promise<AuthContext> {
  const visit = await resolveStore(ctx)
  const customer = await customerOf(ctx, visit)
  return authContext(visit, { customer }, `customer:${customer.id}`)
}

async function customerOf(ctx: Context, { store }: TenantContext) {
  const claims = verifyAccessToken(bearerOf(ctx))
  if (claims.accountType !== 'customer' || claims.storeId !== store.id) throw AuthErrors.notAuthenticated()
  await checkSession(claims)
  return { id: claims.accountId, sessionId: claims.sessionId }
}

async function authenticateStaff(ctx: Context, { rights, personal }: Access): Promise<AuthContext> {
  const { visit, staff } = await findStaff(bearerOf(ctx))
  if (personal) assertInPerson(staff)
  assertMay(staff, ...rights)
  return authContext(visit, { staff }, staff.name)
}

/** A member of the store's staff: no API token, and no super-admin who signed in to help. */
function assertInPerson(staff: StaffMember | ApiToken): asserts staff is StaffMember {
  if (staff.type === 'api_token') throw ApiTokenErrors.forbidden()
  if (staff.isSupport) throw AuthErrors.supportForbidden()
}

async function authenticateAccount(ctx: Context): Promise<AuthContext> {
  const token = bearerOf(ctx)
  if (!isStaffToken(token)) {
    const { visit, given, principal } = await authenticateCustomer(ctx)
    return authContext(visit, { account: { type: 'customer', ...(given.customer as Customer) } }, principal)
  }
  const { visit, staff } = await findStaff(token)
  assertInPerson(staff)
  await assertNamesNoOther(ctx, visit)
  const { type, id, sessionId, name } = staff
  return authContext(visit, { account: { type, id, sessionId } }, name)
}

async function authenticateSuperAdmin(ctx: Context, { ofStore }: Access): Promise<AuthContext> {
  const claims = verifySuperAdminToken(bearerOf(ctx))
  const { id, email } = await checkSuperAdminSession(claims)
  const superAdmin = { type: 'super_admin', id, email, sessionId: claims.sessionId }
  return authContext(ofStore ? await storeOf(ctx) : undefined, { superAdmin }, `super_admin:${id}`)
}

/** The store that the address names. What is no id at all is left to the check of the path. */
async function storeOf(ctx: Context): Promise<TenantContext | undefined> {
  const { id } = ctx.params
  if (!isUuid(id)) return undefined
  const visit = await findStoreById(id.toLowerCase())
  if (!visit) throw CommonErrors.notFound()
  return visit
}
