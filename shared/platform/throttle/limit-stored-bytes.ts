import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { consumeQuota, consumeQuotaIn, type QuotaGrant, readExhaustedUntil } from './quota.ts'

/*
 * A small change can store many bytes: the event contains the whole product, and the response for a repeat the whole
 * cart. An event of a few bytes is delivered to up to 20 webhooks, and each delivery stores a response. A body can also
 * have many bytes: a guest's cart keeps metadata of 100 KB for a month. With only the limits of requests, one caller
 * could fill the disk of all stores within hours.
 */

const MIB = 1024 * 1024
/** The limit of a store's staff is this multiple of the limit of one network. */
const STAFF_FACTOR = 8
// For an evicted sender, less than 1 MiB stays uncounted.
const MAX_SENDERS = 20_000

/** The bytes of each sender that this process has not counted yet. */
const uncounted = new LRUCache<string, number>({ max: MAX_SENDERS })

/** The sender of stored bytes: the staff of a store (requests and imports), or a network address. */
export type StoringSender = 'staff' | { ip: string }

/** A sender's quota of MiB for an hour. */
interface Quota {
  sender: string
  limit: number
  windowMs: number
}

/** Returns the quota of a sender; null if bytes are not limited. */
function quotaOf(storeId: string, by: StoringSender): Quota | null {
  const { LIMIT_STORED_MB: perNetwork } = config()
  if (!perNetwork) return null
  const isStaff = by === 'staff'
  const sender = `bytes stored for ${isStaff ? `staff of ${storeId}` : networkOfAddress(by.ip)}`
  return { sender, limit: isStaff ? STAFF_FACTOR * perNetwork : perNetwork, windowMs: HOUR_MS }
}

/**
 * Counts the bytes that a transaction stores for its sender, right before the commit. Past LIMIT_STORED_MB the commit
 * fails with 429 `rate_limit.exceeded`. It counts whole MiB, so that few changes need a round trip.
 */
export function limitStoredBytes(tx: StoreTx, by: StoringSender): void {
  if (quotaOf(tx.storeId, by))
    tx.beforeCommit('stored bytes', () => consumeStoredBytesIn(tx, by, tx.storedBytes), 'quotas')
}

/** Counts bytes that a sender will store outside such a transaction. Returns false past LIMIT_STORED_MB. */
export const mayStoreBytes = async (storeId: string, by: StoringSender, bytes: number): Promise<boolean> =>
  (await consumeBytes(storeId, by, bytes)) === null

/** Like `mayStoreBytes`, but past LIMIT_STORED_MB throws 429 `rate_limit.exceeded`. */
export async function consumeStoredBytes(storeId: string, by: StoringSender, bytes: number): Promise<void> {
  const until = await consumeBytes(storeId, by, bytes)
  if (until) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(until) })
}

/**
 * Counts the bytes of a transaction before it stores them, because a refused commit would have written them. Throws 429
 * past LIMIT_STORED_MB.
 */
export async function consumeStoredBytesIn(tx: StoreTx, by: StoringSender, bytes: number): Promise<void> {
  const quota = quotaOf(tx.storeId, by)
  if (!quota) return
  const consume = (units: number) => consumeQuotaIn(tx, quota.sender, { ...quota, units })
  const until = await countBytes(quota.sender, bytes, consume)
  if (until) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(until) })
}

/**
 * Throws 429 `rate_limit.exceeded` if a sender has used up LIMIT_STORED_MB. Call it before a change of many rows, which
 * a refused commit would have written in vain. It counts nothing, so it locks nothing either.
 */
export async function assertBytesLeft(tx: StoreTx, by: StoringSender): Promise<void> {
  const quota = quotaOf(tx.storeId, by)
  const until = quota && (await readExhaustedUntil(tx, quota.sender, quota.limit))
  if (until) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(until) })
}

/** Counts bytes outside a transaction. Returns the end of the quota's window if none was left, else null. */
async function consumeBytes(storeId: string, by: StoringSender, bytes: number): Promise<Date | null> {
  const quota = quotaOf(storeId, by)
  if (!quota) return null
  return countBytes(quota.sender, bytes, (units) => consumeQuota(quota.sender, { ...quota, units }))
}

/** Counts bytes by whole MiB. Returns the end of the quota's window if none was left, else null. */
async function countBytes(
  sender: string,
  stored: number,
  consume: (units: number) => Promise<QuotaGrant>,
): Promise<Date | null> {
  if (stored === 0) return null
  const bytes = (uncounted.get(sender) ?? 0) + stored
  const units = Math.floor(bytes / MIB)
  if (units > 0) {
    const { granted, endsAt } = await consume(units)
    if (!granted) return endsAt
  }
  uncounted.set(sender, bytes - units * MIB)
  return null
}
