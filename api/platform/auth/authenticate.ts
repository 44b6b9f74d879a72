import type { Context } from 'koa'
import { AuthErrors } from '#shared/identity/errors.ts'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { checkSession } from '#shared/identity/sessions/check-session.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { ApiTokenErrors } from '#shared/staff/api-tokens/errors.ts'
import { assertMay } from '#shared/staff/may.ts'
import { findStoreById, type StoreVisit } from '#shared/stores/find-store.ts'
import { verifySuperAdminToken } from '#shared/super-admin/access-token.ts'
import { checkSuperAdminSession } from '#shared/super-admin/check-session.ts'
import type { Access, ApiToken, Customer, StaffMember } from './access.ts'
import { bearerOf } from './bearer.ts'
import { clientAddress } from './client-address.ts'
import { findStaff, isStaffToken } from './find-staff.ts'
import { assertNamesNoOther, findStore, resolveStore } from './resolve-store.ts'

/** A request that was let in: its store, what its handler is given, and the name its idempotency keys go by. */
export interface Admission {
  visit: StoreVisit | undefined
  given: Record<string, unknown>
  principal: string
}

/** Lets a request in as its operation's access asks, or throws the refusal. */
export async function admit(ctx: Context, access: Access): Promise<Admission> {
  switch (access.kind) {
    case 'open':
      return admitted(await findStore(ctx), {}, 'anyone')
    case 'storefront':
      return admitted(await resolveStore(ctx), {}, 'anyone')
    case 'guest':
      return admitGuest(ctx)
    case 'customer':
      return admitCustomer(ctx)
    case 'staff':
      return admitStaff(ctx, access)
    case 'account':
      return admitAccount(ctx)
    case 'super_admin':
      return admitSuperAdmin(ctx, access)
  }
}

const admitted = (
  visit: StoreVisit | undefined,
  given: Record<string, unknown>,
  principal: string,
): Admission => ({
  visit,
  given,
  principal,
})

async function admitGuest(ctx: Context): Promise<Admission> {
  const visit = await resolveStore(ctx)
  const cartToken = ctx.get('X-Cart-Token') || null
  const customer = ctx.get('Authorization') ? await customerOf(ctx, visit) : null
  // Who has no cart yet is known by address alone: an answer kept for one, with the cart's token, is not for another who
  // comes with the same key.
  const principal = customer
    ? `customer:${customer.id}`
    : `guest:${sha256(cartToken ? `cart ${cartToken}` : `address ${clientAddress(ctx.ip)}`).toString('base64url')}`
  return admitted(visit, { customer, cartToken }, principal)
}

async function admitCustomer(ctx: Context): Promise<Admission> {
  const visit = await resolveStore(ctx)
  const customer = await customerOf(ctx, visit)
  return admitted(visit, { customer }, `customer:${customer.id}`)
}

async function customerOf(ctx: Context, { store }: StoreVisit) {
  const claims = verifyAccessToken(bearerOf(ctx))
  if (claims.accountType !== 'customer' || claims.storeId !== store.id) throw AuthErrors.notAuthenticated()
  await checkSession(claims)
  return { id: claims.accountId, sessionId: claims.sessionId }
}

async function admitStaff(ctx: Context, { rights, personal }: Access): Promise<Admission> {
  const { visit, staff } = await findStaff(bearerOf(ctx))
  if (personal) assertInPerson(staff)
  assertMay(staff, ...rights)
  return admitted(visit, { staff }, staff.name)
}

/** A member of the store's staff: no API token, and no super-admin who signed in to help. */
function assertInPerson(staff: StaffMember | ApiToken): asserts staff is StaffMember {
  if (staff.type === 'api_token') throw ApiTokenErrors.forbidden()
  if (staff.isSupport) throw AuthErrors.supportForbidden()
}

async function admitAccount(ctx: Context): Promise<Admission> {
  const token = bearerOf(ctx)
  if (!isStaffToken(token)) {
    const { visit, given, principal } = await admitCustomer(ctx)
    return admitted(visit, { account: { type: 'customer', ...(given.customer as Customer) } }, principal)
  }
  const { visit, staff } = await findStaff(token)
  assertInPerson(staff)
  await assertNamesNoOther(ctx, visit)
  const { type, id, sessionId, name } = staff
  return admitted(visit, { account: { type, id, sessionId } }, name)
}

async function admitSuperAdmin(ctx: Context, { ofStore }: Access): Promise<Admission> {
  const claims = verifySuperAdminToken(bearerOf(ctx))
  const { id, email } = await checkSuperAdminSession(claims)
  const superAdmin = { type: 'super_admin', id, email, sessionId: claims.sessionId }
  return admitted(ofStore ? await storeOf(ctx) : undefined, { superAdmin }, `super_admin:${id}`)
}

/** The store that the address names. What is no id at all is left to the check of the path. */
async function storeOf(ctx: Context): Promise<StoreVisit | undefined> {
  const { id } = ctx.params
  if (!isUuid(id)) return undefined
  const visit = await findStoreById(id.toLowerCase())
  if (!visit) throw CommonErrors.notFound()
  return visit
}
