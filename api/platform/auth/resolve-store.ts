import type { Context, Next } from 'koa'
import { AuthErrors } from '#shared/identity/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domain-name.ts'
import { findStoreByDomain, findStoreByKey, type TenantContext } from '#shared/stores/find-store.ts'
import { StoreAccessErrors } from '../output/errors.ts'
import { checkOrigin } from './cors.ts'

/**
 * Finds the request's store by its publishable key, else by its own domain; undefined when it names none. One that
 * was deleted is told so, at login and refresh: 403 `auth.tenant_unavailable` (interface document, section 4).
 */
export async function findStore(ctx: Context): Promise<TenantContext | undefined> {
  const visit = await lookUp(ctx)
  if (!visit) return undefined
  if (visit.store.status !== 'active') throw AuthErrors.tenantUnavailable()
  await checkOrigin(ctx, visit)
  return visit
}

/** The request's store. Without one it is refused: 401 `auth.store_required`, as if a deleted one had never been. */
export async function resolveStore(ctx: Context): Promise<TenantContext> {
  const visit = await lookUp(ctx)
  if (visit?.store.status !== 'active')
    throw ctx.get('X-Service-Key') ? StoreAccessErrors.keyInvalid() : StoreAccessErrors.required()
  await checkOrigin(ctx, visit)
  return visit
}

/** Holds a request whose token names its store to the store that it may name besides, by key or domain: 401 for another. */
export async function assertNamesNoOther(ctx: Context, { store }: TenantContext): Promise<void> {
  const named = await lookUp(ctx)
  if (!named) return
  if (named.store.id !== store.id) throw AuthErrors.notAuthenticated()
  await checkOrigin(ctx, named)
}

async function lookUp(ctx: Context): Promise<TenantContext | undefined> {
  const key = ctx.get('X-Service-Key')
  return key ? byKey(key) : byDomain(ctx)
}

// The router takes paths in any case.
const STAFF_PATH = /^\/api\/v1\/(super-)?admin(\/|$)/i

/**
 * Refuses publishable keys on every path of the staff, whatever is there: one is a mistake that would teach clients to
 * leak it.
 */
export function refuseMisplacedKeys(ctx: Context, next: Next): Promise<void> {
  if (ctx.get('X-Service-Key') && STAFF_PATH.test(ctx.path)) throw StoreAccessErrors.keyForbidden()
  return next()
}

/** The store of a publishable key: 401 `auth.publishable_key_invalid` for one that is not in use. */
export async function byKey(key: string): Promise<TenantContext> {
  const visit = await findStoreByKey(key)
  const refused = visit?.keyMode === 'test' && config().NODE_ENV === 'production'
  if (!visit || refused) throw StoreAccessErrors.keyInvalid()
  return visit
}

// koa's hostname honours X-Forwarded-Host only when the app trusts its proxy.
async function byDomain(ctx: Context): Promise<TenantContext | undefined> {
  const domain = domainOfHost(ctx.hostname)
  return domain ? findStoreByDomain(domain) : undefined
}
