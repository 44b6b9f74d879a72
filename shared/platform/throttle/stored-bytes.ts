import { LRUCache } from 'lru-cache'
import { config } from '../config/config.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { CommonErrors } from '../errors.ts'
import { clientNetwork } from '../net/client-network.ts'
import { HOUR_MS, secondsUntil } from '../time/clock.ts'
import { consumeQuotaIn } from './quota.ts'

/*
 * A change of a few bytes may store many: the event with the whole product, the response with the whole cart for a
 * repeat. The limits of requests alone would let one caller fill the disk of all stores within hours.
 */

const MIB = 1024 * 1024
/** The limit of a store's staff, as a multiple of the limit of one network's callers. */
const STAFF_FACTOR = 8
// An evicted sender loses less than a mebibyte that was not counted yet.
const MAX_SENDERS = 20_000

/** The bytes of each sender that this process has not counted yet. */
const uncounted = new LRUCache<string, number>({ max: MAX_SENDERS })

/** For whom a transaction stores something: the staff of its store, by requests and imports, or an address. */
export type StoringSender = 'staff' | { ip: string }

/**
 * Counts the bytes that a transaction stores for its sender, right before the commit, which fails with 429
 * `rate_limit.exceeded` past LIMIT_STORED_MB. Whole mebibytes are counted, so that few changes need a round trip.
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
