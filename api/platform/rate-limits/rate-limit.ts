import type { Context } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { type RateLimitResult, rateLimiter } from '#shared/platform/throttle/rate-limiter.ts'
import type { AuthContext } from '../auth/authenticate.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Operation } from '../pipeline/endpoint.ts'
import { type Limit, type LimitSubject, limits } from './limits.ts'

const WINDOW_SECONDS = 60
// A thirtieth of a limit: with four processes, a limit of 300 may end at 273.
const SLICES = 30

const count = rateLimiter(consumeQuota)

/** Counts a request that was let in against its operation's early limits, or throws 429 `rate_limit.exceeded`. */
export const limitEarly = (ctx: Context, { limits }: Operation, admission: AuthContext): Promise<void> =>
  applyLimits(ctx, limits, 'early', callerOf(ctx, admission))

/** Counts a request whose input is sound against its operation's exact limits, or throws 429 `rate_limit.exceeded`. */
export const limitExact = (
  ctx: Context,
  { limits }: Operation,
  admission: AuthContext,
  body: unknown,
): Promise<void> => applyLimits(ctx, limits, 'exact', { ...callerOf(ctx, admission), body })

/** Counts what nobody was let in for, by its address alone, or throws 429 `rate_limit.exceeded`. */
export const limitAnonymous = (ctx: Context, what: 'refused' | 'preflight'): Promise<void> =>
  applyLimit(ctx, limits.api, { address: clientAddress(ctx.ip), store: what, principal: '' })

/** Counts a code that comes with the right password, from whatever address, or throws 429 `rate_limit.exceeded`. */
export const limitCode = (principal: string): Promise<void> =>
  consume(limits.codes, { address: '', store: '', principal })

const callerOf = (ctx: Context, { visit, principal }: AuthContext): LimitSubject => ({
  address: clientAddress(ctx.ip),
  store: ctx.get('X-Service-Key') || visit?.store.id || 'none',
  principal,
})

async function applyLimits(
  ctx: Context,
  limits: readonly Limit[],
  counted: Limit['counted'],
  caller: LimitSubject,
): Promise<void> {
  for (const limit of limits) if (limit.counted === counted) await applyLimit(ctx, limit, caller)
}

async function applyLimit(ctx: Context, limit: Limit, caller: LimitSubject): Promise<void> {
  await consume(limit, caller, (perMinute, { left, seconds }) => {
    appendHeader(ctx, 'RateLimit-Policy', `"${limit.name}";q=${perMinute};w=${WINDOW_SECONDS}`)
    appendHeader(ctx, 'RateLimit', `"${limit.name}";r=${left};t=${seconds}`)
  })
}

async function consume(
  limit: Limit,
  caller: LimitSubject,
  report?: (perMinute: number, tally: RateLimitResult) => void,
): Promise<void> {
  const perMinute = config()[limit.variable]
  if (!perMinute) return
  const slice = limit.counted === 'exact' ? 1 : Math.max(1, Math.floor(perMinute / SLICES))
  const tally = await count({ subject: `${limit.name} ${limit.subject(caller)}`, perMinute, slice })
  report?.(perMinute, tally)
  if (!tally.isWithin) throw CommonErrors.rateLimited({ retryAfter: tally.seconds })
}

/** Both headers are lists, of every policy that was applied (IETF draft "RateLimit header fields for HTTP"). */
function appendHeader(ctx: Context, header: string, item: string): void {
  const told = ctx.response.get(header)
  ctx.set(header, told ? `${told}, ${item}` : item)
}
