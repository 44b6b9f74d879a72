import type { Context } from 'koa'
import { config } from '#shared/platform/config.ts'
import { findStoreByDomain, findStoreByKeyHash, type StoreVisit } from '#shared/stores/find-store.ts'
import { hashPublishableKey } from '#shared/stores/publishable-key.ts'
import { StoreAccessErrors } from './errors.ts'

/** Finds the request's store by its publishable key, else by its own domain. Undefined when it names none. */
export async function findStore(ctx: Context): Promise<StoreVisit | undefined> {
  const key = ctx.get('X-Service-Key')
  const visit = key ? await byKey(key) : await byDomain(ctx)
  return visit && visit.store.status === 'active' ? visit : undefined
}

/** As `findStore`, but a request without a store is refused: 401 `auth.store_required`. */
export async function resolveStore(ctx: Context): Promise<StoreVisit> {
  const visit = await findStore(ctx)
  if (!visit) throw StoreAccessErrors.required()
  assertOrigin(ctx, visit)
  return visit
}

/** A publishable key on an admin path is a mistake that would teach clients to leak it: refused. */
export function refuseServiceKey(ctx: Context): void {
  if (ctx.get('X-Service-Key')) throw StoreAccessErrors.keyForbidden()
}

async function byKey(key: string): Promise<StoreVisit> {
  const hash = hashPublishableKey(key)
  const visit = hash ? await findStoreByKeyHash(hash) : undefined
  const refused = visit?.keyMode === 'test' && config().NODE_ENV === 'production'
  if (!visit || refused || visit.store.status !== 'active') throw StoreAccessErrors.keyInvalid()
  return visit
}

// koa's hostname honours X-Forwarded-Host only when the app trusts its proxy.
const byDomain = (ctx: Context) => (ctx.hostname ? findStoreByDomain(ctx.hostname.toLowerCase()) : undefined)

function assertOrigin(ctx: Context, { allowedOrigins }: StoreVisit): void {
  const origin = ctx.get('Origin')
  if (origin && allowedOrigins?.length && !allowedOrigins.includes(origin))
    throw StoreAccessErrors.originNotAllowed()
}
