import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'koa'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { idempotentResponses } from '#shared/platform/idempotency/idempotent-responses.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { IdempotencyErrors } from '../output/errors.ts'
import type { Operation } from '../pipeline/operation.ts'

// A process that dies while it runs a request leaves its claim behind: after the lease another may run it.
const LEASE_MS = 30 * SECOND_MS
const RELEASE_PAUSE_MS = 250

/** A request that is repeated under one key: the scope is store, principal and operation. */
export interface KeyedRequest {
  storeId: string
  principal: string
  operation: string
  key: string
  hash: Buffer
  /** Names this one run of it, so that whoever lost its claim to another run commits nothing. */
  holder: string
}

/** What is known of a key: nothing yet (`fresh`), what its change returned, or its whole answer. */
export type Claim =
  | { state: 'fresh' }
  | { state: 'committed'; outcome: unknown }
  | { state: 'answered'; answer: RenderedResponse }

/** An answer as it is sent. */
export interface RenderedResponse {
  status: number
  text: string
  headers?: Record<string, string>
}

/** The request's Idempotency-Key, if it has one and the operation takes one. */
export function keyOf(ctx: Context, operation: Operation): string | null {
  const key = ctx.get('Idempotency-Key')
  if (operation.idempotency === 'none') return null
  if (!key && operation.idempotency === 'required') throw IdempotencyErrors.required()
  if (key && !/^[\x21-\x7e]{1,255}$/.test(key)) throw IdempotencyErrors.malformed()
  return key || null
}

/** Two requests are the same when they would do the same: their address and checked body are. */
export const hashRequest = (url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(url)
    .update('\0')
    .update(JSON.stringify(body ?? null))
    .digest()

/**
 * Claims the key in a transaction of its own, so that nobody waits on the request's locks. Throws
 * `idempotency.key_reused` for another request's key and `idempotency.in_progress` while its first one runs.
 */
export async function claim(request: KeyedRequest): Promise<Claim> {
  const row = await insertClaim(request).catch(async (error) => {
    // Whether it was committed is unknown: if so, nobody else would let it go.
    await releaseClaim(request)
    throw error
  })
  if (!row || !request.hash.equals(row.request_hash)) throw IdempotencyErrors.reused()
  if (row.status !== null) return { state: 'answered', answer: open(request, row.answer) }
  if (row.outcome !== null) return { state: 'committed', outcome: open(request, row.outcome) }
  if (row.claimed) return { state: 'fresh' }
  throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

function insertClaim({ storeId, principal, operation, key, hash, holder }: KeyedRequest) {
  return inStore(storeId, async (tx) => {
    const { rows } = await tx.knex.raw(
      `insert into idempotency_keys as k
         (store_id, principal, operation, key, request_hash, holder, lease_until, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (store_id, principal, operation, key) do update
         set holder = excluded.holder, lease_until = excluded.lease_until
         where k.status is null and k.lease_until < excluded.created_at and k.request_hash = excluded.request_hash
       returning outcome, null::integer as status, null as answer, request_hash`,
      [storeId, principal, operation, key, hash, holder, inMs(LEASE_MS), now()],
    )
    if (rows[0]) return { ...rows[0], claimed: true }
    return tx
      .knex('idempotency_keys')
      .where({ store_id: storeId, principal, operation, key })
      .first('outcome', 'status', 'answer', 'request_hash')
  })
}

const close = (request: KeyedRequest, value: unknown): string =>
  idempotentResponses.of(request).seal(JSON.stringify(value))
const open = (request: KeyedRequest, sealed: string) =>
  JSON.parse(idempotentResponses.of(request).open(sealed))

/** Records, in the transaction of the change, that it was made: from its commit on it is never made again. */
export const recordOutcome = (tx: StoreTx, request: KeyedRequest, outcome: unknown): Promise<void> =>
  record(tx, request, { outcome: close(request, outcome ?? null) })

/** Keeps the answer for repeats; inside the transaction of the change where the answer is known by then. */
export const recordResponse = (tx: StoreTx, request: KeyedRequest, answer: RenderedResponse): Promise<void> =>
  record(tx, request, { status: answer.status, answer: close(request, answer) })

// Once the change is made anyone may answer; until then only who holds the claim may say that it is.
async function record(tx: StoreTx, request: KeyedRequest, columns: object): Promise<void> {
  const recorded = await rowOf(tx, request)
    .where((row) => row.where('holder', request.holder).orWhereNotNull('outcome'))
    .update(columns)
  if (!recorded) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

/** A failed request changed nothing. Its refusal is kept, or, where a repeat may fare better, its key is freed. */
export async function recordFailure(request: KeyedRequest, error: unknown, text: string): Promise<void> {
  const lasting = error instanceof CodedError && error.status < 500 && ![401, 429].includes(error.status)
  if (!lasting) return releaseClaim(request)
  const answer = { status: error.status, text }
  await inStore(request.storeId, (tx) => recordResponse(tx, request, answer)).catch(() =>
    releaseClaim(request),
  )
}

/**
 * Lets go of a claim whose change was not made. While the database is away, that is tried again in the background,
 * until the lease would have ended by itself.
 */
async function releaseClaim(request: KeyedRequest): Promise<void> {
  // A commit whose acknowledgement was lost has left its outcome or its answer: then there is nothing to let go of.
  const release = () =>
    inStore(request.storeId, (tx) =>
      rowOf(tx, request).where({ holder: request.holder, outcome: null, status: null }).delete(),
    )
  await release().catch(() => void keepTrying(release))
}

async function keepTrying(release: () => Promise<unknown>): Promise<void> {
  for (let spent = 0; spent < LEASE_MS; spent += RELEASE_PAUSE_MS) {
    await pause(RELEASE_PAUSE_MS, undefined, { ref: false })
    const released = await release().then(
      () => true,
      () => false,
    )
    if (released) return
  }
}

const rowOf = (tx: StoreTx, { storeId, principal, operation, key }: KeyedRequest) =>
  tx.knex('idempotency_keys').where({ store_id: storeId, principal, operation, key })
