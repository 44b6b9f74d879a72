import type { Context, Next } from 'koa'
import { allowOrigin, isOwnOrigin } from '#api/platform/auth/check-origin.ts'
import { isStaffPath } from '#api/platform/auth/staff-path.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { countOrigin } from '#api/platform/rate-limits/network-limits.ts'
import { limitPreflight } from '#api/platform/rate-limits/rate-limit.ts'
import { failFastWhenDown } from '#shared/platform/db/database-probe.ts'
import { log } from '#shared/platform/log.ts'
import { isKnownOrigin } from '#shared/stores/publishable-keys/origin.ts'

// Cross-origin requests of browsers (Fetch standard, CORS protocol). Callers authenticate by a key or token and never
// by a cookie, so responses never allow credentials.

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
// The router finds a path in any case.
const API_PATH = /^\/api\/v1\//i
// The longest time that browsers accept. The request itself still refuses an origin that was removed since.
const MAX_AGE_SECONDS = 7_200

/**
 * Middleware: sets the CORS headers of responses to requests whose store did not check the origin. Pages of an origin
 * may read such a response if any store knows the origin. For errors, a key that accepts all origins suffices. For
 * responses to staff, a key's list or a store's domain must name the origin: staff need a token and no key, and a key
 * for all origins must open only its storefront.
 */
export async function allowKnownOrigins(ctx: Context, next: Next): Promise<void> {
  ctx.set('Vary', 'Origin')
  await next()
  const origin = ctx.get('Origin')
  if (!origin || ctx.state.originChecked) return
  const path = pathOf(ctx)
  const isForStaff = isStaffPath(path) || (ctx.status < 400 && API_PATH.test(path))
  // A 429 says nothing about a store, and the page must read when to try again. Allow it without a look-up.
  if (ctx.status === 429 && !isForStaff && origin !== 'null') return allowOrigin(ctx, origin)
  if (!(await mayLookUp(ctx))) return
  if (await canRead(origin, isForStaff)) allowOrigin(ctx, origin)
}

/** Whether a look-up of the origin is allowed. A request with a store has its own limits. This limits all others. */
const mayLookUp = async (ctx: Context): Promise<boolean> =>
  ctx.state.storeId !== undefined || countOrigin(ctx)

/**
 * Middleware: responds to a preflight, which has no key, with 204 for an origin of any store or of this service, else
 * 403. For the paths of staff, a list must name the origin.
 */
export async function answerPreflights(ctx: Context, next: Next): Promise<void> {
  const origin = ctx.get('Origin')
  if (ctx.method !== 'OPTIONS' || !origin || !ctx.get('Access-Control-Request-Method')) return next()
  ctx.state.originChecked = true
  await limitPreflight(ctx)
  if (!(await isKnown(origin, isStaffPath(ctx.path)))) throw StoreAccessErrors.originNotAllowed()
  allowOrigin(ctx, origin)
  ctx.set('Access-Control-Allow-Methods', METHODS)
  ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
  ctx.set('Access-Control-Max-Age', String(MAX_AGE_SECONDS))
  ctx.status = 204
}

// Every sandboxed page sends the origin `null`.
const isKnown = async (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  origin !== 'null' && (isOwnOrigin(origin) || isKnownOrigin(origin, { mustBeNamed }))

/**
 * Whether an origin may read the response. Without the database no origin can be looked up. Then the page may read the
 * 503 and its Retry-After.
 */
const canRead = (origin: string, mustBeNamed: boolean): Promise<boolean> =>
  failFastWhenDown(() => isKnown(origin, mustBeNamed)).catch((error) => {
    log.warn({ err: error, origin }, 'could not look the origin up')
    return origin !== 'null' && !mustBeNamed
  })

/** Returns the request's path; '' for an invalid URL, for which Koa's own `path` throws. */
const pathOf = (ctx: Context): string => (ctx.req.url?.startsWith('/') ? ctx.path : '')
