import type { Context } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { takeUnits } from '#shared/platform/throttle/quota.ts'
import { rateLimiter, type Tally } from '#shared/platform/throttle/rate-limiter.ts'
import type { Admission } from '../auth/authenticate.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Operation } from '../pipeline/endpoint.ts'
import { type Caller, type Limit, limits } from './limits.ts'

const WINDOW_SECONDS = 60
// A thirtieth of a limit: with four processes, a limit of 300 may end at 273.
const SLICES = 30

const count = rateLimiter(takeUnits)

/** Counts a request that was let in against its operation's early limits, or throws 429 `rate_limit.exceeded`. */
export const countEarly = (ctx: Context, { limits }: Operation, admission: Admission): Promise<void> =>
  countAll(ctx, limits, 'early', callerOf(ctx, admission))

/** Counts a request whose input is sound against its operation's exact limits, or throws 429 `rate_limit.exceeded`. */
export const countExactly = (
  ctx: Context,
  { limits }: Operation,
  admission: Admission,
  body: unknown,
): Promise<void> => countAll(ctx, limits, 'exact', { ...callerOf(ctx, admission), body })

/** Counts what nobody was let in for, by its address alone, or throws 429 `rate_limit.exceeded`. */
export const countStranger = (ctx: Context, what: 'refused' | 'preflight'): Promise<void> =>
  countOne(ctx, limits.api, { address: clientAddress(ctx.ip), store: what, principal: '' })

/** Counts a code that comes with the right password, from whatever address, or throws 429 `rate_limit.exceeded`. */
export const countCode = (principal: string): Promise<void> =>
  spend(limits.codes, { address: '', store: '', principal })

const callerOf = (ctx: Context, { visit, principal }: Admission): Caller => ({
  address: clientAddress(ctx.ip),
  store: ctx.get('X-Service-Key') || visit?.store.id || 'none',
  principal,
})

async function countAll(
  ctx: Context,
  limits: readonly Limit[],
  counted: Limit['counted'],
  caller: Caller,
): Promise<void> {
  for (const limit of limits) if (limit.counted === counted) await countOne(ctx, limit, caller)
}

async function countOne(ctx: Context, limit: Limit, caller: Caller): Promise<void> {
  await spend(limit, caller, (perMinute, { left, seconds }) => {
    tell(ctx, 'RateLimit-Policy', `"${limit.name}";q=${perMinute};w=${WINDOW_SECONDS}`)
    tell(ctx, 'RateLimit', `"${limit.name}";r=${left};t=${seconds}`)
  })
}

async function spend(
  limit: Limit,
  caller: Caller,
  report?: (perMinute: number, tally: Tally) => void,
): Promise<void> {
  const perMinute = config()[limit.variable]
  if (!perMinute) return
  const slice = limit.counted === 'exact' ? 1 : Math.max(1, Math.floor(perMinute / SLICES))
  const tally = await count({ subject: `${limit.name} ${limit.subject(caller)}`, perMinute, slice })
  report?.(perMinute, tally)
  if (!tally.isWithin) throw CommonErrors.rateLimited({ retryAfter: tally.seconds })
}

/** Both headers are lists, of every policy that was applied (IETF draft "RateLimit header fields for HTTP"). */
function tell(ctx: Context, header: string, item: string): void {
  const told = ctx.response.get(header)
  ctx.set(header, told ? `${told}, ${item}` : item)
}
