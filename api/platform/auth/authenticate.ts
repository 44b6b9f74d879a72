import type { Context } from 'koa'
import { AuthErrors } from '#shared/identity/errors.ts'
import { verifyAccessToken, verifyPlatformToken } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import { isUuid, newId } from '#shared/platform/db/id.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { assertMay } from '#shared/staff/rights.ts'
import { findStoreById, type TenantContext } from '#shared/stores/find-store.ts'
import { checkSuperAdminSession } from '#shared/super-admin/check-super-admin-session.ts'
import type { Access } from './access.ts'
import type { AuthContext } from './auth-context.ts'
import type { CustomerCaller, StaffCaller, StaffOrApiToken } from './callers.ts'
import { findStaff, isStaffToken } from './find-staff.ts'
import { assertNamesNoOtherStore, findStore, resolveStore } from './resolve-store.ts'

/** Authenticates a request as the access of its operation requires. Throws the refusal. */
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
  tenant: TenantContext | undefined,
  context: Record<string, unknown>,
  principal: string,
): AuthContext => ({ tenant, context, principal })

async function authenticateGuest(ctx: Context): Promise<AuthContext> {
  const tenant = await resolveStore(ctx)
  const cartToken = ctx.get('X-Cart-Token') || null
  const customer = ctx.get('Authorization') ? await customerOf(ctx, tenant) : null
  return authContext(
    tenant,
    { customer, cartToken },
    customer ? `customer:${customer.id}` : guestName(ctx, cartToken),
  )
}

/**
 * Returns a guest's principal: the token of the cart, or of the order in the query. Without a token each request counts
 * as another guest. Guests can share an address, and a stored response with the token of a new cart must not reach
 * another guest with the same Idempotency-Key.
 */
function guestName(ctx: Context, cartToken: string | null): string {
  if (cartToken) return `guest:${nameOf('cart', cartToken)}`
  const orderToken = orderTokenOf(ctx)
  return `guest:${orderToken === undefined ? newId() : nameOf('order', orderToken)}`
}

/**
 * Returns the token of an order in the query; undefined if it is missing or repeated. It reads the query once: Koa's
 * `query` searches it again for each parameter, which blocks the process for 0.7 s, and the request is not yet
 * counted.
 */
export function orderTokenOf({ querystring }: Pick<Context, 'querystring'>): string | undefined {
  const tokens = new URLSearchParams(querystring).getAll('access_token')
  return tokens.length === 1 ? tokens[0] : undefined
}

const nameOf = (kind: string, token: string): string => sha256(`${kind} ${token}`).toString('base64url')

async function authenticateCustomer(ctx: Context): Promise<AuthContext> {
  const tenant = await resolveStore(ctx)
  const customer = await customerOf(ctx, tenant)
  return authContext(tenant, { customer }, `customer:${customer.id}`)
}

async function customerOf(ctx: Context, { store }: TenantContext): Promise<CustomerCaller> {
  const claims = verifyAccessToken(bearerOf(ctx))
  if (claims.accountType !== 'customer' || claims.storeId !== store.id) throw AuthErrors.notAuthenticated()
  await checkSession(claims)
  return { id: claims.accountId, sessionId: claims.sessionId }
}

async function authenticateStaff(ctx: Context, access: Access): Promise<AuthContext> {
  const { tenant, staff } = await findStaff(bearerOf(ctx))
  if (access.personal) assertInPerson(staff)
  assertSupportMay(staff, access, ctx.method)
  assertMay(staff, ...access.rights)
  return authContext(tenant, { staff }, staff.name)
}

/** Refuses API tokens and support sessions, because the operation needs a member of the store's staff. */
function assertInPerson(staff: StaffOrApiToken): asserts staff is StaffCaller {
  if (staff.type === 'api_token') throw ApiTokenErrors.forbidden()
  if (staff.isSupport) throw AuthErrors.supportForbidden()
}

/**
 * Refuses changes by a support session, unless the owner of the store allows them. Even then it refuses changes that
 * would outlast the session.
 */
function assertSupportMay(staff: StaffOrApiToken, { excludesSupport }: Access, method: string): void {
  if (staff.type === 'api_token' || !staff.isSupport) return
  if (excludesSupport) throw AuthErrors.supportForbidden()
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads && !staff.supportMayWrite) throw AuthErrors.supportReadOnly()
}

async function authenticateAccount(ctx: Context): Promise<AuthContext> {
  const token = bearerOf(ctx)
  if (!isStaffToken(token)) {
    const { tenant, context, principal } = await authenticateCustomer(ctx)
    return authContext(
      tenant,
      { account: { type: 'customer', ...(context.customer as CustomerCaller) } },
      principal,
    )
  }
  const { tenant, staff } = await findStaff(token)
  assertInPerson(staff)
  await assertNamesNoOtherStore(ctx, tenant)
  const { type, id, sessionId, name } = staff
  return authContext(tenant, { account: { type, id, sessionId } }, name)
}

async function authenticateSuperAdmin(ctx: Context, { ofStore }: Access): Promise<AuthContext> {
  const claims = verifyPlatformToken(bearerOf(ctx))
  const session = await checkSuperAdminSession(claims)
  const superAdmin = { type: 'super_admin', ...session, sessionId: claims.sessionId }
  const tenant = ofStore ? await storeInPath(ctx) : undefined
  return authContext(tenant, { superAdmin }, `super_admin:${session.id}`)
}

/**
 * Returns the store that the path parameter `id` names. An id that is no UUID is refused later, by the check of the
 * path.
 */
async function storeInPath(ctx: Context): Promise<TenantContext | undefined> {
  const { id } = ctx.params
  if (!isUuid(id)) return undefined
  return assertFound(await findStoreById(id.toLowerCase()))
}

/** Returns the request's bearer token, not yet verified. Throws `auth.not_authenticated` without one. */
export function bearerOf(ctx: Context): string {
  const token = findBearer(ctx)
  if (!token) throw AuthErrors.notAuthenticated()
  return token
}

/** Returns the request's bearer token, not yet verified; undefined without one. */
export const findBearer = (ctx: Context): string | undefined =>
  /^Bearer +([\w.-]+)$/i.exec(ctx.get('Authorization'))?.[1]
