import type { Context, Next } from 'koa'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domains/domain-name.ts'
import { findStoreByDomain, findStoreByKey, type TenantContext } from '#shared/stores/find-store.ts'
import { checkOrigin } from './check-origin.ts'
import { isStaffPath } from './staff-path.ts'

/**
 * Returns the request's store by its publishable key, or else by its domain; undefined if the request names none.
 * Throws `auth.tenant_unavailable` for a deleted store, as login and refresh do.
 */
export async function findStore(ctx: Context): Promise<TenantContext | undefined> {
  const tenant = await findNamedStore(ctx)
  if (!tenant) return undefined
  if (tenant.store.status !== 'active') throw AuthErrors.tenantUnavailable()
  await checkOrigin(ctx, tenant)
  return tenant
}

/** Returns the request's store. Throws `auth.store_required` without one. A deleted store is treated as unknown. */
export async function resolveStore(ctx: Context): Promise<TenantContext> {
  const tenant = await findNamedStore(ctx)
  if (tenant?.store.status !== 'active')
    throw ctx.get('X-Service-Key') ? StoreAccessErrors.keyInvalid() : StoreAccessErrors.required()
  await checkOrigin(ctx, tenant)
  return tenant
}

/** Throws 401 if the key or domain of the request names another store than its token. */
export async function assertNamesNoOtherStore(ctx: Context, { store }: TenantContext): Promise<void> {
  const named = await findNamedStore(ctx)
  if (!named) return
  if (named.store.id !== store.id) throw AuthErrors.notAuthenticated()
  await checkOrigin(ctx, named)
}

async function findNamedStore(ctx: Context): Promise<TenantContext | undefined> {
  const key = ctx.get('X-Service-Key')
  return key ? findByKey(key) : findByDomain(ctx)
}

/**
 * Middleware: refuses a publishable key on every admin path, even if no operation has the path, so that no client gets
 * used to sending a key there.
 */
export function refuseMisplacedKeys(ctx: Context, next: Next): Promise<void> {
  if (ctx.get('X-Service-Key') && isStaffPath(ctx.path)) throw StoreAccessErrors.keyForbidden()
  return next()
}

/** Returns the store of a publishable key. Throws `auth.publishable_key_invalid` for a key that is not in use. */
export async function findByKey(key: string): Promise<TenantContext> {
  const tenant = await findStoreByKey(key)
  const isTestKeyInProduction = tenant?.keyMode === 'test' && config().NODE_ENV === 'production'
  if (!tenant || isTestKeyInProduction) throw StoreAccessErrors.keyInvalid()
  return tenant
}

// Koa's hostname uses X-Forwarded-Host only if the app trusts its proxy.
async function findByDomain(ctx: Context): Promise<TenantContext | undefined> {
  const domain = domainOfHost(ctx.hostname)
  return domain ? findStoreByDomain(domain) : undefined
}
