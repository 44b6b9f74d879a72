import { setTimeout as pause } from 'node:timers/promises'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { IdempotencyErrors } from './errors.ts'
import {
  type KeyedRequest,
  openRecord,
  RETENTION_MS,
  type RenderedResponse,
  rowOf,
} from './idempotency-key.ts'

// After the lease another run may claim the key. The process of the first run may have died.
const LEASE_MS = 30 * SECOND_MS
const RELEASE_RETRY_MS = 250

/** The record of a claimed key. It is empty, or has the outcome of a committed change, or the response. */
export type Claim =
  | { state: 'fresh' }
  | { state: 'committed'; outcome: unknown }
  | { state: 'completed'; response: RenderedResponse }

/**
 * Claims the key in a separate transaction, so that no other request waits for this request's locks. Throws
 * `idempotency.key_reused` if another request used the key, and `idempotency.in_progress` while the first run holds it.
 */
export async function claimKey(request: KeyedRequest): Promise<Claim> {
  const row = await insertClaim(request).catch(async (error) => {
    // The claim may have been committed. Release it, or the key stays claimed until the lease ends.
    await releaseClaim(request)
    throw error
  })
  if (!row || !request.hash.equals(row.request_hash)) throw IdempotencyErrors.reused()
  if (row.status !== null) return { state: 'completed', response: openRecord(request, row.response) }
  if (row.outcome !== null) return { state: 'committed', outcome: openRecord(request, row.outcome) }
  if (row.claimed) return { state: 'fresh' }
  throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

function insertClaim({ storeId, principal, operation, key, hash, holder }: KeyedRequest) {
  const expired = inMs(-RETENTION_MS)
  return inStore(storeId, async (tx) => {
    const { rows } = await tx.knex.raw(
      `insert into idempotency_keys as k
         (store_id, principal, operation, key, request_hash, holder, lease_until, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (store_id, principal, operation, key) do update
         set holder = excluded.holder, lease_until = excluded.lease_until, request_hash = excluded.request_hash,
           created_at = case when k.created_at <= ? then excluded.created_at else k.created_at end,
           outcome = case when k.created_at <= ? then null else k.outcome end, status = null, response = null
         where k.created_at <= ?
           or (k.status is null and k.lease_until < excluded.created_at and k.request_hash = excluded.request_hash)
       returning outcome, null::integer as status, null as response, request_hash`,
      [storeId, principal, operation, key, hash, holder, inMs(LEASE_MS), now(), expired, expired, expired],
    )
    if (rows[0]) return { ...rows[0], claimed: true }
    return tx
      .knex('idempotency_keys')
      .where({ store_id: storeId, principal, operation, key })
      .first('outcome', 'status', 'response', 'request_hash')
  })
}

/**
 * Releases the claim of a run that changed nothing. While the database is unreachable, retries in the background until
 * the lease ends.
 */
export async function releaseClaim(request: KeyedRequest): Promise<void> {
  // If the commit succeeded but its acknowledgement was lost, an outcome or response is stored, and nothing is
  // released.
  const release = () =>
    inStore(request.storeId, (tx) =>
      rowOf(tx, request).where({ holder: request.holder, outcome: null, status: null }).delete(),
    )
  await release().catch(() => void retryRelease(release))
}

async function retryRelease(release: () => Promise<unknown>): Promise<void> {
  for (let spent = 0; spent < LEASE_MS; spent += RELEASE_RETRY_MS) {
    await pause(RELEASE_RETRY_MS, undefined, { ref: false })
    const released = await release().then(
      () => true,
      () => false,
    )
    if (released) return
  }
}
