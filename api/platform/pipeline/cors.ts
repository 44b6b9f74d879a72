import type { Context, Next } from 'koa'
import { failFastWhenDown } from '#shared/platform/db/database-probe.ts'
import { log } from '#shared/platform/log.ts'
import { isKnownOrigin } from '#shared/stores/publishable-keys/origin.ts'
import { allowOrigin, isOwn } from '../auth/check-origin.ts'
import { isStaffPath } from '../auth/staff-path.ts'
import { StoreAccessErrors } from '../errors.ts'
import { countOrigin, limitAnonymous } from '../rate-limits/rate-limit.ts'

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
// The longest that browsers honour. A removed origin is still refused at the request itself.
const MAX_AGE_SECONDS = 7_200

/**
 * Middleware: lets an origin that any store knows read responses without a store. Errors before the store is found are
 * for any origin that a key accepts. Answers to staff, who need a token and no key, are for origins that are named in a
 * list or are a store's domain: a key for every origin opens its storefront and nothing else.
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
 * Middleware: answers a preflight, which carries no key: 204 for an origin of any store or of this service, else 403.
 * For the paths of staff the origin must be named.
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

// Every sandboxed page sends the origin `null`.
const isKnown = async (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  origin !== 'null' && (isOwn(origin) || isKnownOrigin(origin, { mustBeNamed }))

/** Without the database no origin can be looked up; the page may then read the 503 and its Retry-After. */
const canRead = (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  failFastWhenDown(() => isKnown(origin, mustBeNamed)).catch((error) => {
    log.warn({ err: error, origin }, 'could not look the origin up')
    return origin !== 'null' && !mustBeNamed
  })

/** The request's path; '' for an address that is no URL, of which Koa's own `path` throws. */
const pathOf = (ctx: Context): string => (ctx.req.url?.startsWith('/') ? ctx.path : '')
