import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { clientNetwork } from '#shared/platform/net/client-network.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { consumeQuotaIn } from './quota.ts'

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

/**
 * Counts the bytes that a transaction stores for its sender, right before the commit. Past LIMIT_STORED_MB the commit
 * fails with 429 `rate_limit.exceeded`. It counts whole MiB, so that few changes need a round trip.
 */
export function limitStoredBytes(tx: StoreTx, by: StoringSender): void {
  const { LIMIT_STORED_MB: perNetwork } = config()
  if (!perNetwork) return
  const isStaff = by === 'staff'
  const sender = `bytes stored for ${isStaff ? `staff of ${tx.storeId}` : clientNetwork(by.ip)}`
  const most = isStaff ? STAFF_FACTOR * perNetwork : perNetwork
  tx.beforeCommit('stored bytes', () => count(tx, sender, most), 'quotas')
}

async function count(tx: StoreTx, sender: string, most: number): Promise<void> {
  if (tx.storedBytes === 0) return
  const bytes = (uncounted.get(sender) ?? 0) + tx.storedBytes
  const units = Math.floor(bytes / MIB)
  const until = units > 0 ? await consumeQuotaIn(tx, sender, most, HOUR_MS, units) : null
  if (until) throw CommonErrors.rateLimited({ retryAfter: secondsUntil(until) })
  uncounted.set(sender, bytes - units * MIB)
}
