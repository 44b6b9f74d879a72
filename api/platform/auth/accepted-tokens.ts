import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { isApiToken } from '#shared/staff/api-tokens/token-text.ts'
import { findBearer } from './authenticate.ts'

/**
 * The hashes of the API tokens that this process has accepted lately. Anyone can make a token of any store with a valid
 * checksum. To look it up takes a connection of that store, also of a store that does not exist: thousands of them at a
 * time would keep all stores waiting. So a token that is not in here is counted before it is looked up.
 */
const accepted = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS })

/** Whether the request has an API token that was not accepted lately. */
export function isNewApiToken(ctx: Context): boolean {
  const key = keyOf(ctx)
  return key !== null && !accepted.has(key)
}

/** Notes that the API token of a request was accepted. */
export function noteApiToken(ctx: Context): void {
  const key = keyOf(ctx)
  if (key !== null) accepted.set(key, true)
}

/** Notes that the API token of a request was refused. */
export function forgetApiToken(ctx: Context): void {
  const key = keyOf(ctx)
  if (key !== null) accepted.delete(key)
}

function keyOf(ctx: Context): string | null {
  const token = findBearer(ctx)
  return token !== undefined && isApiToken(token) ? sha256(token).toString('base64url') : null
}
