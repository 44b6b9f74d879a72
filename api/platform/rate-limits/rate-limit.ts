import type { Context } from 'koa'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { clientAddress, plainAddress } from '#api/platform/auth/client-address.ts'
import { config } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { type RateLimitResult, rateLimiter } from '#shared/platform/throttle/rate-limiter.ts'
import {
  type CountedLimits,
  countedLimits,
  type Limit,
  type LimitedCaller,
  limits,
  perMinuteOf,
} from './limits.ts'

const WINDOW_SECONDS = 60
// Each process takes a thirtieth of a limit at a time. With four processes, a limit of 300 may refuse from 273 on.
const SLICES = 30

const sliceOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute / SLICES))

const count = rateLimiter(consumeQuota)

/**
 * Counts a request against its operation's limits of networks, before its caller is looked up. Throws 429
 * `rate_limit.exceeded`.
 */
export async function limitFirst(ctx: Context, { first }: CountedLimits): Promise<void> {
  await applyLimits(ctx, first, anonymousCallerOf(ctx, ''))
}

/** Counts an authenticated request against its operation's early limits. Throws 429 `rate_limit.exceeded`. */
export async function limitEarly(ctx: Context, { early }: CountedLimits, auth: AuthContext): Promise<void> {
  await applyLimits(ctx, early, limitedCallerOf(ctx, auth))
}

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
  await consume(limits.network, { ...caller, network: `new tokens of ${network}` })
  await consume(limits.api, { ...caller, network })
}

const anonymousCallerOf = (ctx: Context, keyOrStore: string): LimitedCaller => ({
  ...addressesOf(ctx),
  keyOrStore,
  storeId: '',
  principal: '',
})

/**
 * Counts the look-up of an origin by the network and the address of a request without a caller. Returns false past a
 * limit.
 */
export async function countOrigin(ctx: Context): Promise<boolean> {
  const { address, network } = addressesOf(ctx)
  return (
    (await isWithin(`origins ${network}`, config().LIMIT_NETWORK)) &&
    (await isWithin(`${limits.api.name} origin ${address}`, config().LIMIT_API))
  )
}

const isWithin = async (subject: string, perMinute: number): Promise<boolean> =>
  perMinute === 0 || (await count({ subject, perMinute, slice: sliceOf(perMinute) })).isWithin

// This many files count as one request. A page shows many images, and they cost less than other requests.
const FILES_PER_REQUEST = 10

/** Counts a request for a file by its network, separately from other requests. Throws 429 `rate_limit.exceeded`. */
export const limitFiles = (ctx: Context): Promise<void> =>
  limitNetwork(ctx, 'files', config().LIMIT_NETWORK * FILES_PER_REQUEST)

/** Counts a request for a page, the API description or an unknown path by its network. Throws 429. */
export const limitPages = (ctx: Context): Promise<void> => limitNetwork(ctx, 'pages', config().LIMIT_NETWORK)

async function limitNetwork(ctx: Context, what: 'files' | 'pages', perMinute: number): Promise<void> {
  if (!perMinute) return
  const subject = `${what} ${addressesOf(ctx).network}`
  const { isWithin, seconds } = await count({ subject, perMinute, slice: sliceOf(perMinute) })
  if (!isWithin) throw CommonErrors.rateLimitExceeded({ retryAfter: seconds })
}

/** Counts an attempt at a second factor after a correct password, from any address. Throws `rate_limit.exceeded`. */
export async function limitAttempts(principal: string): Promise<void> {
  await consume(limits.codes, { address: '', network: '', keyOrStore: '', storeId: '', principal })
}

const limitedCallerOf = (ctx: Context, { tenant, principal }: AuthContext): LimitedCaller => ({
  ...addressesOf(ctx),
  keyOrStore: ctx.get('X-Service-Key') || tenant?.store.id || 'none',
  storeId: tenant?.store.id ?? '',
  principal,
})

/** Returns the address and network that limits count. Each request needs them several times. */
function addressesOf(ctx: Context): { address: string; network: string } {
  ctx.state.addresses ??= { address: clientAddress(ctx.ip), network: networkOfAddress(plainAddress(ctx.ip)) }
  return ctx.state.addresses
}

/** Returns the network of a request's address. */
export const networkOf = (ctx: Context): string => addressesOf(ctx).network

async function applyLimits(ctx: Context, limits: readonly Limit[], caller: LimitedCaller): Promise<boolean> {
  let isNear = false
  for (const limit of limits) isNear = (await applyLimit(ctx, limit, caller)) || isNear
  return isNear
}

/** Returns whether more than half of the limit is used. */
async function applyLimit(ctx: Context, limit: Limit, caller: LimitedCaller): Promise<boolean> {
  return consume(limit, caller, (perMinute, { left, seconds }) => {
    appendHeader(ctx, 'RateLimit-Policy', `"${limit.name}";q=${perMinute};w=${WINDOW_SECONDS}`)
    appendHeader(ctx, 'RateLimit', `"${limit.name}";r=${left};t=${seconds}`)
  })
}

async function consume(
  limit: Limit,
  caller: LimitedCaller,
  report?: (perMinute: number, result: RateLimitResult) => void,
): Promise<boolean> {
  const perMinute = perMinuteOf(limit, config())
  const counted = limit.subject(caller)
  if (!perMinute || counted === null) return false
  const slice = limit.counted === 'exact' ? 1 : sliceOf(perMinute)
  const result = await count({ subject: `${limit.name} ${counted}`, perMinute, slice })
  report?.(perMinute, result)
  if (!result.isWithin) throw CommonErrors.rateLimitExceeded({ retryAfter: result.seconds })
  return result.left < perMinute / 2
}

/** Both headers are lists with an item for each policy (IETF draft "RateLimit header fields for HTTP"). */
function appendHeader(ctx: Context, header: string, item: string): void {
  const present = ctx.response.get(header)
  ctx.set(header, present ? `${present}, ${item}` : item)
}
