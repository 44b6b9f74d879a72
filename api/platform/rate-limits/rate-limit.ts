import type { Context } from 'koa'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { config } from '#shared/platform/config/config.ts'
import { assertWithin, countWithin, WINDOW_SECONDS } from '#shared/platform/throttle/count-within.ts'
import {
  type CountedLimits,
  countedLimits,
  type Limit,
  type LimitedCaller,
  limits,
  perMinuteOf,
} from './limits.ts'

/**
 * Counts a request against its operation's limits of networks, before its caller is looked up. Throws 429
 * `rate_limit.exceeded`.
 */
export const limitFirst = (ctx: Context, { first }: CountedLimits): Promise<unknown> =>
  applyLimits(ctx, first, anonymousCallerOf(ctx, ''))

/** Counts an authenticated request against its operation's early limits. Throws 429 `rate_limit.exceeded`. */
export const limitEarly = (ctx: Context, { early }: CountedLimits, auth: AuthContext): Promise<unknown> =>
  applyLimits(ctx, early, limitedCallerOf(ctx, auth))

/**
 * Counts a request with valid input against its operation's exact limits. Returns whether more than half of one is
 * used. Throws 429 `rate_limit.exceeded`.
 */
export const limitExact = async (
  ctx: Context,
  { exact }: CountedLimits,
  auth: AuthContext,
  body: unknown,
): Promise<boolean> => exact.length > 0 && applyLimits(ctx, exact, { ...limitedCallerOf(ctx, auth), body })

const ANONYMOUS = countedLimits([limits.api])

/** Counts a preflight by its network and address. Throws 429 `rate_limit.exceeded`. */
export async function limitPreflight(ctx: Context): Promise<void> {
  await limitFirst(ctx, ANONYMOUS)
  await applyLimits(ctx, ANONYMOUS.early, anonymousCallerOf(ctx, 'preflight'))
}

/**
 * Counts a refused request by its address, and by its network unless the limits of its operation did. Throws 429
 * `rate_limit.exceeded`.
 */
export async function limitRefused(ctx: Context, { first }: CountedLimits): Promise<void> {
  if (first.length === 0) await limitFirst(ctx, ANONYMOUS)
  await applyLimits(ctx, ANONYMOUS.early, anonymousCallerOf(ctx, 'refused'))
}

/**
 * Counts the look-up of an API token that this process does not know yet, apart from all other requests of its network
 * and address. Throws 429 `rate_limit.exceeded`.
 */
export async function limitNewToken(ctx: Context): Promise<void> {
  const { network, ...caller } = anonymousCallerOf(ctx, 'new token')
  await applyLimit(limits.network, { ...caller, network: `new tokens of ${network}` })
  await applyLimit(limits.api, { ...caller, network })
}

const anonymousCallerOf = (ctx: Context, keyOrStore: string): LimitedCaller => ({
  ...addressesOf(ctx.req),
  keyOrStore,
  storeId: '',
  principal: '',
})

const limitedCallerOf = (ctx: Context, { tenant, principal }: AuthContext): LimitedCaller => ({
  ...addressesOf(ctx.req),
  keyOrStore: ctx.get('X-Service-Key') || tenant?.store.id || 'none',
  storeId: tenant?.store.id ?? '',
  principal,
})

/** Counts a request against limits, and reports them in its headers. Returns whether more than half of one is used. */
async function applyLimits(ctx: Context, counted: readonly Limit[], caller: LimitedCaller): Promise<boolean> {
  let isNear = false
  for (const limit of counted) {
    const count = countCaller(limit, caller)
    if (!count) continue
    const { perMinute, counting } = count
    // A process that has units left counts at once. To wait for it would slow each request down.
    const result = counting instanceof Promise ? await counting : counting
    appendHeader(ctx, 'RateLimit-Policy', `"${limit.name}";q=${perMinute};w=${WINDOW_SECONDS}`)
    appendHeader(ctx, 'RateLimit', `"${limit.name}";r=${result.left};t=${result.seconds}`)
    assertWithin(result)
    isNear ||= result.left < perMinute / 2
  }
  return isNear
}

/** Counts a caller against one limit, without headers. Throws 429 `rate_limit.exceeded`. */
async function applyLimit(limit: Limit, caller: LimitedCaller): Promise<void> {
  const count = countCaller(limit, caller)
  if (count) assertWithin(await count.counting)
}

/** Begins to count a caller. Returns null if the limit is off or does not count the caller. */
function countCaller(limit: Limit, caller: LimitedCaller) {
  const perMinute = perMinuteOf(limit, config())
  const counted = limit.subject(caller)
  if (!perMinute || counted === null) return null
  const isExact = limit.counted === 'exact'
  return { perMinute, counting: countWithin({ subject: `${limit.name} ${counted}`, perMinute, isExact }) }
}

/** Both headers are lists with an item for each policy (IETF draft "RateLimit header fields for HTTP"). */
function appendHeader(ctx: Context, header: string, item: string): void {
  const present = ctx.response.get(header)
  ctx.set(header, present ? `${present}, ${item}` : item)
}
