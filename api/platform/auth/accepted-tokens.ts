import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { isApiToken } from '#shared/staff/api-tokens/token-text.ts'
import { findBearer } from './authenticate.ts'

/**
 * The hashes of the API tokens that this process has accepted lately. Anyone can make a token with a valid checksum,
 * and each look-up uses a connection of the store that it names, even if that store does not exist. Thousands at once
 * would block all stores. So a token that is not in here is counted before it is looked up.
 */
const accepted = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS })

/** An API token of a request, by its hash. */
export interface SentToken {
  isAccepted(): boolean
  /** Notes whether the token was accepted. */
  note(isAccepted: boolean): void
}

/** Returns the API token of a request; null without one. */
export function sentToken(ctx: Context): SentToken | null {
  const text = findBearer(ctx)
  if (text === undefined || !isApiToken(text)) return null
  const hash = sha256(text).toString('base64url')
  return {
    isAccepted: () => accepted.has(hash),
    note(isAccepted) {
      if (isAccepted) accepted.set(hash, true)
      else accepted.delete(hash)
    },
  }
}
