import type { Context, Next } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'
import { domainOfHost } from '#shared/stores/domain-name.ts'
import { findStoreByDomain, type TenantContext } from '#shared/stores/find-store.ts'
import { isKnownOrigin } from '#shared/stores/origin.ts'
import { StoreAccessErrors } from '../output/errors.ts'
import { limitAnonymous } from '../rate-limits/rate-limit.ts'

// What browsers may do from other origins (Fetch standard, CORS protocol). No cookie lets anybody in: whoever calls shows
// a key or a token, so an origin is told what it may read, and never that it may send credentials.

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Cart-Token',
  'X-Request-Id',
  'X-Service-Key',
].join(', ')
const RESPONSE_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ')
// As long as browsers heed; a new origin is refused by its real request all the same.
const MAX_AGE_SECONDS = 7_200

/**
 * Lets an origin that some store knows read the answers that no store was asked about: errors before one was found, and
 * the admin operations, which take a token and no key.
 */
export async function allowKnownOrigins(ctx: Context, next: Next): Promise<void> {
  ctx.set('Vary', 'Origin')
  await next()
  const origin = ctx.get('Origin')
  if (!origin || ctx.state.originJudged) return
  if (await mayReadErrors(origin)) share(ctx, origin)
}

/** Answers a preflight, which carries no key, when the origin is known to any store or the service's own; else 403. */
export async function answerPreflights(ctx: Context, next: Next): Promise<void> {
  const origin = ctx.get('Origin')
  if (ctx.method !== 'OPTIONS' || !origin || !ctx.get('Access-Control-Request-Method')) return next()
  await limitAnonymous(ctx, 'preflight')
  ctx.state.originJudged = true
  if (!(await isKnown(origin))) throw StoreAccessErrors.originNotAllowed()
  share(ctx, origin)
  ctx.set('Access-Control-Allow-Methods', METHODS)
  ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
  ctx.set('Access-Control-Max-Age', String(MAX_AGE_SECONDS))
  ctx.status = 204
}

/** Refuses an origin that the request's store does not know: 403 `auth.origin_not_allowed`. */
export async function checkOrigin(ctx: Context, visit: TenantContext): Promise<void> {
  const origin = ctx.get('Origin')
  if (!origin) return
  ctx.state.originJudged = true
  if (!(await isAllowedOrigin(ctx, origin, visit))) throw StoreAccessErrors.originNotAllowed()
  share(ctx, origin)
}

function share(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
}

// Any sandboxed page can send `null`, whoever wrote it.
const isKnown = async (origin: string): Promise<boolean> =>
  origin !== 'null' && (isOwn(origin) || isKnownOrigin(origin))

/** The service's own: its reference page calls it. */
const isOwn = (origin: string): boolean => origin === new URL(config().PUBLIC_URL).origin

/** With the database away nobody knows; its page may learn that much, and when to ask again. */
const mayReadErrors = (origin: string): Promise<boolean> =>
  isKnown(origin).catch((error) => {
    log.warn({ err: error, origin }, 'could not look the origin up')
    return origin !== 'null'
  })

/** Whether it is on the key's list, or a page of the store's own domain or of the service itself (its reference page). */
async function isAllowedOrigin(ctx: Context, origin: string, visit: TenantContext): Promise<boolean> {
  const { allowedOrigins, store } = visit
  if (origin === 'null') return false
  if (allowedOrigins && (allowedOrigins.length === 0 || allowedOrigins.includes(origin))) return true
  if (isOwn(origin)) return true
  const domain = ownDomainOf(ctx, origin)
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === store.id
}

/** The domain that the origin is a page of: the one that was called, port and all, or any over https. */
function ownDomainOf(ctx: Context, origin: string): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/(.+)$/.exec(origin) ?? []
  if (host === ctx.host.toLowerCase()) return domainOfHost(ctx.hostname)
  return scheme === 'https' ? domainOfHost(host) : undefined
}
