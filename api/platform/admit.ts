import type { Context } from 'koa'
import { type AccessClaims, verifyAccessToken } from '#shared/accounts/access-token.ts'
import { checkSession } from '#shared/accounts/check-session.ts'
import { AuthErrors } from '#shared/accounts/errors.ts'
import { sha256 } from '#shared/platform/crypto.ts'
import { assertMay } from '#shared/staff/may.ts'
import { findStoreById, type StoreVisit } from '#shared/stores/find-store.ts'
import type { Access, StaffMember } from './access.ts'
import { findStore, refuseServiceKey, resolveStore } from './resolve-store.ts'

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
  const principal = customer ? `customer:${customer.id}` : `guest:${cartToken ? sha256(cartToken).toString('base64url') : ''}`
  return admitted(visit, { customer, cartToken }, principal)
}

async function admitCustomer(ctx: Context): Promise<Admission> {
  const visit = await resolveStore(ctx)
  const customer = await customerOf(ctx, visit)
  return admitted(visit, { customer }, `customer:${customer.id}`)
}

async function customerOf(ctx: Context, { store }: StoreVisit) {
  const claims = bearer(ctx)
  if (claims.accountType !== 'customer' || claims.storeId !== store.id) throw AuthErrors.notAuthenticated()
  await checkSession(claims)
  return { id: claims.accountId, sessionId: claims.sessionId }
}

async function admitStaff(ctx: Context, { rights }: Access): Promise<Admission> {
  refuseServiceKey(ctx)
  const claims = bearer(ctx)
  if (claims.accountType !== 'staff') throw AuthErrors.notAuthenticated()
  const { visit, staff } = await staffOf(claims)
  assertMay(staff.role, ...rights)
  return admitted(visit, { staff }, `staff:${staff.id}`)
}

async function staffOf(claims: AccessClaims): Promise<{ visit: StoreVisit; staff: StaffMember }> {
  const [{ role, isOwner }, visit] = await Promise.all([checkSession(claims), findStoreById(claims.storeId)])
  if (visit?.store.status !== 'active' || !role) throw AuthErrors.sessionRevoked()
  return {
    visit,
    staff: { id: claims.accountId, sessionId: claims.sessionId, role, isOwner },
  }
}

async function admitAccount(ctx: Context): Promise<Admission> {
  const claims = bearer(ctx)
  const { accountType: type, accountId: id, sessionId } = claims
  const visit = type === 'staff' ? (await staffOf(claims)).visit : await resolveStore(ctx)
  if (type === 'customer') await customerOf(ctx, visit)
  return admitted(visit, { account: { type, id, sessionId } }, `${type}:${id}`)
}

function bearer(ctx: Context): AccessClaims {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(ctx.get('Authorization')) ?? []
  if (!token) throw AuthErrors.notAuthenticated()
  return verifyAccessToken(token)
}
