import type { Context } from 'koa'
import { ClientGone } from '#shared/platform/db/waiting-client.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

// The most downloads of one caller. Each holds a page of rows in memory until its reader takes them, up to an hour
// later.
const MAX_OF_CALLER = 2
const MAX_OF_STORE = 6

const running = new Map<string, number>()

/**
 * Counts a download of the store until its connection closes. Throws 429 `rate_limit.exceeded` if the caller or the
 * store has too many running downloads in this process.
 */
export function holdDownload(ctx: Context, principal: string): void {
  // A connection that is already closed would stay counted for ever.
  if (ctx.res.destroyed) throw new ClientGone()
  const storeId = String(ctx.state.storeId)
  const caller = `${storeId} ${principal}`
  if (countOf(caller) >= MAX_OF_CALLER || countOf(storeId) >= MAX_OF_STORE)
    throw CommonErrors.rateLimitExceeded({ retryAfter: 10 })
  for (const holder of [caller, storeId]) running.set(holder, countOf(holder) + 1)
  ctx.res.once('close', () => {
    for (const holder of [caller, storeId]) release(holder)
  })
}

const countOf = (holder: string): number => running.get(holder) ?? 0

function release(holder: string): void {
  const left = countOf(holder) - 1
  if (left > 0) running.set(holder, left)
  else running.delete(holder)
}
