import type { Context, Next } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { whileAnswering } from '#shared/platform/db/answer-watch.ts'
import { log } from '#shared/platform/log.ts'
import { domainOfHost } from '#shared/stores/domain-name.ts'
import { findStoreByDomain, type TenantContext } from '#shared/stores/find-store.ts'
import { isKnownOrigin } from '#shared/stores/origin.ts'
import { StoreAccessErrors } from '../output/errors.ts'
import { countOrigin, limitAnonymous } from '../rate-limits/rate-limit.ts'
import { isStaffPath } from './staff-path.ts'

// Cross-origin requests of browsers (Fetch standard, CORS protocol). No cookie authenticates a caller, only a key or a
// token, so responses never allow credentials.

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Accept-Language',
  'Authorization',
  'Challenge-Response',
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
  'Challenge-Site-Key',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ')
// The longest that browsers honour. A removed origin is still refused at the request itself.
const MAX_AGE_SECONDS = 7_200

/**
 * Middleware: lets an origin that any store knows read responses without a store. Errors before the store is found are for
 * any origin that a key accepts. Answers to staff, who need a token and no key, are for origins that are named in a list or
 * are a store's domain: a key for every origin opens its storefront and nothing else.
 */
export async function allowKnownOrigins(ctx: Context, next: Next): Promise<void> {
  ctx.set('Vary', 'Origin')
  await next()
  const origin = ctx.get('Origin')
  if (!origin || ctx.state.originChecked || !(await mayLookUp(ctx))) return
  const path = pathOf(ctx)
  const isForStaff = isStaffPath(path) || (ctx.status < 400 && path.startsWith('/api/v1/'))
  if (await canRead(origin, isForStaff)) allowOrigin(ctx, origin)
}

/** Requests with a store or a caller are counted by their own limits. Any other would be a look-up without a limit. */
const mayLookUp = async (ctx: Context): Promise<boolean> =>
  ctx.state.storeId !== undefined || countOrigin(ctx)

/**
 * Middleware: answers a preflight, which carries no key: 204 for an origin of any store or of this service, else 403. For the
 * paths of staff the origin must be named.
 */
export async function answerPreflights(ctx: Context, next: Next): Promise<void> {
  const origin = ctx.get('Origin')
  if (ctx.method !== 'OPTIONS' || !origin || !ctx.get('Access-Control-Request-Method')) return next()
  await limitAnonymous(ctx, 'preflight')
  ctx.state.originChecked = true
  if (!(await isKnown(origin, isStaffPath(ctx.path)))) throw StoreAccessErrors.originNotAllowed()
  allowOrigin(ctx, origin)
  ctx.set('Access-Control-Allow-Methods', METHODS)
  ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
  ctx.set('Access-Control-Max-Age', String(MAX_AGE_SECONDS))
  ctx.status = 204
}

/** Throws 403 `auth.origin_not_allowed` for an origin that the request's store does not allow. */
export async function checkOrigin(ctx: Context, tenant: TenantContext): Promise<void> {
  const origin = ctx.get('Origin')
  if (!origin) return
  ctx.state.originChecked = true
  if (!(await isAllowedOrigin(ctx, origin, tenant))) throw StoreAccessErrors.originNotAllowed()
  allowOrigin(ctx, origin)
}

function allowOrigin(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
}

// Every sandboxed page sends the origin `null`.
const isKnown = async (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  origin !== 'null' && (isOwn(origin) || isKnownOrigin(origin, { mustBeNamed }))

/** The origin of the service itself, whose reference page calls it. */
const isOwn = (origin: string): boolean => origin === new URL(config().PUBLIC_URL).origin

/** Without the database no origin can be looked up; the page may then read the 503 and its Retry-After. */
const canRead = (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  whileAnswering(() => isKnown(origin, mustBeNamed)).catch((error) => {
    log.warn({ err: error, origin }, 'could not look the origin up')
    return origin !== 'null' && !mustBeNamed
  })

/** The request's path; '' for an address that is no URL, of which Koa's own `path` throws. */
const pathOf = (ctx: Context): string => (ctx.req.url?.startsWith('/') ? ctx.path : '')

/** Whether the key's list names the origin, or it is the store's own domain or the service itself. */
async function isAllowedOrigin(ctx: Context, origin: string, tenant: TenantContext): Promise<boolean> {
  const { allowedOrigins, store } = tenant
  if (origin === 'null') return false
  if (allowedOrigins && (allowedOrigins.length === 0 || allowedOrigins.includes(origin))) return true
  if (isOwn(origin)) return true
  const domain = ownDomainOf(ctx, origin)
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === store.id
}

/** The domain of an origin: the called host with its port, or any host over https. */
function ownDomainOf(ctx: Context, origin: string): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/(.+)$/.exec(origin) ?? []
  if (host === ctx.host.toLowerCase()) return domainOfHost(ctx.hostname)
  return scheme === 'https' ? domainOfHost(host) : undefined
}
