import { setTimeout as pause } from 'node:timers/promises'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { IdempotencyErrors } from './errors.ts'
import {
  isKeySql,
  KEY_TYPES,
  type KeyedRequest,
  openRecord,
  RETENTION_MS,
  type RenderedResponse,
} from './idempotency-key.ts'

// After the lease another run may claim the key, because the process of the first run may have died.
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
  const record = await findOrClaim(request).catch(async (error) => {
    // The claim may have been committed. Release it, or the key stays claimed until the lease ends.
    await releaseClaim(request)
    throw error
  })
  if (!record) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
  if (!record.isSameRequest) throw IdempotencyErrors.reused()
  if (record.response !== null) return { state: 'completed', response: openRecord(request, record.response) }
  if (record.outcome !== null) return { state: 'committed', outcome: openRecord(request, record.outcome) }
  if (record.isOwnClaim) return { state: 'fresh' }
  throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

/** SQL: whether the lease of the existing key has ended without a response. Then a repeat may claim the key. */
const IS_ABANDONED =
  'k.status is null and k.lease_until < excluded.created_at and k.request_hash = excluded.request_hash'

const CLAIM = namedStatement(
  'claim_key',
  {
    ...KEY_TYPES,
    hash: 'bytea',
    holder: 'uuid',
    leaseUntil: 'timestamptz',
    at: 'timestamptz',
    newestExpired: 'timestamptz',
  },
  ({ principal, operation, key, hash, holder, leaseUntil, at, newestExpired }) => {
    // Whether the response of the existing key is no longer replayed. Then any request may use the key.
    const isExpired = `k.created_at <= ${newestExpired}`
    return `
      insert into idempotency_keys as k
        (store_id, principal, operation, key, request_hash, holder, lease_until, created_at)
      values (${CURRENT_STORE}, ${principal}, ${operation}, ${key}, ${hash}, ${holder}, ${leaseUntil}, ${at})
      on conflict (store_id, principal, operation, key) do update
        set holder = excluded.holder, lease_until = excluded.lease_until, request_hash = excluded.request_hash,
          created_at = case when ${isExpired} then excluded.created_at else k.created_at end,
          outcome = case when ${isExpired} then null else k.outcome end, status = null, response = null
        where ${isExpired} or (${IS_ABANDONED})
      returning outcome, null as response, request_hash`
  },
)

const FIND_RECORD = namedStatement(
  'find_idempotency_record',
  KEY_TYPES,
  (key) => `select outcome, response, request_hash from idempotency_keys where ${isKeySql(key)}`,
)

interface FoundRecord {
  isOwnClaim: boolean
  isSameRequest: boolean
  outcome: string | null
  response: string | null
}

/**
 * Claims the key, or reads its record if another run holds the claim or has completed. Returns undefined if the other
 * run released it in between.
 */
async function findOrClaim(request: KeyedRequest): Promise<FoundRecord | undefined> {
  const { storeId } = request
  const hash = `\\x${request.hash.toString('hex')}`
  const claim = CLAIM.values({
    ...request,
    hash,
    leaseUntil: inMs(LEASE_MS).toISOString(),
    at: now().toISOString(),
    newestExpired: inMs(-RETENTION_MS).toISOString(),
  })
  const [claimed] = await executeInStore(storeId, CLAIM, claim)
  const record = claimed ?? (await executeInStore(storeId, FIND_RECORD, FIND_RECORD.values(request)))[0]
  if (!record) return undefined
  const [outcome = null, response = null, recordedHash] = record
  return { isOwnClaim: claimed !== undefined, isSameRequest: recordedHash === hash, outcome, response }
}

// If the commit succeeded but its acknowledgement was lost, an outcome or response is stored, and nothing is released.
const RELEASE = namedStatement(
  'release_key',
  { ...KEY_TYPES, holder: 'uuid' },
  ({ holder, ...key }) => `
    delete from idempotency_keys
    where ${isKeySql(key)} and holder = ${holder} and outcome is null and status is null returning key`,
)

/**
 * Releases the claim of a run that changed nothing. While the database is unreachable, retries in the background until
 * the lease ends.
 */
export async function releaseClaim(request: KeyedRequest): Promise<void> {
  const release = () => executeInStore(request.storeId, RELEASE, RELEASE.values(request))
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
