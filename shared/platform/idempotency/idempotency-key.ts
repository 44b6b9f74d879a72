import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { inStore, type StoreTx } from '../db/store-scope.ts'
import { defineSecrets } from '../secrets/secrets.ts'
import { DAY_MS, inMs, now, SECOND_MS } from '../time/clock.ts'
import { IdempotencyErrors } from './errors.ts'

/** The time for which a response is replayed. The purge runs up to an hour later. */
export const RETENTION_MS = DAY_MS
// After the lease another run may claim the key of a process that died.
const LEASE_MS = 30 * SECOND_MS
const RELEASE_RETRY_MS = 250

/** A request with an Idempotency-Key. The key is unique by store, principal and operation. */
export interface KeyedRequest {
  storeId: string
  principal: string
  operation: string
  key: string
  /** Hash of the request's URL and body: another request with the same key is refused. */
  hash: Buffer
  /** The id of this run. A run that lost its claim to a later one commits nothing. */
  holder: string
}

/** A response as it is sent. */
export interface RenderedResponse {
  status: number
  text: string
  headers?: Record<string, string>
}

/** The record of a claimed key: nothing yet, the outcome of a committed change, or the response. */
export type Claim =
  | { state: 'fresh' }
  | { state: 'committed'; outcome: unknown }
  | { state: 'completed'; response: RenderedResponse }

/**
 * Stored outcomes and responses are encrypted: a response may hold a secret that is stored nowhere else in plain text,
 * such as the token of a new cart. The purge deletes them within an hour after their 24 hours.
 */
export const idempotentResponses = defineSecrets(
  'responses to idempotent requests',
  {
    scope: 'store',
    table: 'idempotency_keys',
    columns: ['outcome', 'response'],
    expiresAt: "created_at + interval '25 hours'",
  },
  ({ storeId, operation, key }: Pick<KeyedRequest, 'storeId' | 'operation' | 'key'>) =>
    `idempotency:${storeId}:${operation}:${key}`,
)

/**
 * Claims the key in a transaction of its own, so that no other request waits for this one's locks. Throws
 * `idempotency.key_reused` when another request used the key, and `idempotency.in_progress` while the first run holds
 * it.
 */
export async function claimKey(request: KeyedRequest): Promise<Claim> {
  const row = await insertClaim(request).catch(async (error) => {
    // The claim may have been committed: release it, or the key stays claimed for the lease.
    await releaseClaim(request)
    throw error
  })
  if (!row || !request.hash.equals(row.request_hash)) throw IdempotencyErrors.reused()
  if (row.status !== null) return { state: 'completed', response: open(request, row.response) }
  if (row.outcome !== null) return { state: 'committed', outcome: open(request, row.outcome) }
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

const seal = (request: KeyedRequest, value: unknown): string =>
  idempotentResponses.of(request).seal(JSON.stringify(value))
const open = (request: KeyedRequest, sealed: string) =>
  JSON.parse(idempotentResponses.of(request).open(sealed))

/**
 * Records the change's outcome in the change's transaction. After its commit the change is never made again: a run that
 * lost its claim throws `idempotency.in_progress`, also when the other run has committed its outcome.
 */
export const recordOutcome = (tx: StoreTx, request: KeyedRequest, outcome: unknown): Promise<void> =>
  record(tx, claimOf(tx, request), { outcome: seal(request, outcome ?? null) })

/**
 * Records the response for repeats; in the change's transaction where the response is known by then. After a recorded
 * outcome any run may record the response; before, only the run that holds the claim.
 */
export const recordResponse = (
  tx: StoreTx,
  request: KeyedRequest,
  response: RenderedResponse,
): Promise<void> =>
  record(
    tx,
    rowOf(tx, request).where((row) => row.where('holder', request.holder).orWhereNotNull('outcome')),
    columnsOf(request, response),
  )

/** Records the error of a failed run, unless it lost its claim: the other run answers. */
export const recordError = (tx: StoreTx, request: KeyedRequest, response: RenderedResponse): Promise<void> =>
  record(tx, claimOf(tx, request), columnsOf(request, response))

const columnsOf = (request: KeyedRequest, response: RenderedResponse) => ({
  status: response.status,
  response: seal(request, response),
})

async function record(
  tx: StoreTx,
  row: Knex.QueryBuilder,
  columns: { outcome?: string; response?: string; status?: number },
): Promise<void> {
  const recorded = await row.update(columns)
  if (!recorded) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
  tx.noteStored((columns.outcome ?? columns.response ?? '').length)
}

/**
 * Releases the claim of a run that changed nothing. While the database is unreachable, retries in the background until
 * the lease ends.
 */
export async function releaseClaim(request: KeyedRequest): Promise<void> {
  // A commit whose acknowledgement was lost has stored an outcome or a response: then nothing is released.
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

/** The row while a run holds its claim. */
const claimOf = (tx: StoreTx, request: KeyedRequest) => rowOf(tx, request).where('holder', request.holder)

const rowOf = (tx: StoreTx, { storeId, principal, operation, key }: KeyedRequest) =>
  tx.knex('idempotency_keys').where({ store_id: storeId, principal, operation, key })
