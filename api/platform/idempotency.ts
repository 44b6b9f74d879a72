import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { inMs, now, SECOND_MS } from '#shared/platform/clock.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { inStore, type StoreTx } from '#shared/platform/store-scope.ts'
import type { Operation } from './endpoint.ts'
import { IdempotencyErrors } from './errors.ts'

// A process that dies while it runs a request leaves its claim behind: after the lease another may run it.
const LEASE_MS = 30 * SECOND_MS

/** A request that is repeated under one key: the scope is store, principal and operation. */
export interface KeyedRequest {
  storeId: string
  principal: string
  operation: string
  key: string
  hash: Buffer
}

/** What is known of a key: nothing yet (`fresh`), what its change returned, or its whole answer. */
export type Claim =
  | { state: 'fresh' }
  | { state: 'committed'; outcome: unknown }
  | { state: 'answered'; answer: Answer }

/** An answer as it is sent. */
export interface Answer {
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
export async function claim({ storeId, principal, operation, key, hash }: KeyedRequest): Promise<Claim> {
  const row = await inStore(storeId, async (tx) => {
    const { rows } = await tx.knex.raw(
      `insert into idempotency_keys as k (store_id, principal, operation, key, request_hash, lease_until, created_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (store_id, principal, operation, key) do update set lease_until = excluded.lease_until
         where k.status is null and k.lease_until < excluded.created_at and k.request_hash = excluded.request_hash
       returning outcome, null::integer as status, null::jsonb as answer, request_hash`,
      [storeId, principal, operation, key, hash, inMs(LEASE_MS), now()],
    )
    if (rows[0]) return { ...rows[0], claimed: true }
    return tx
      .knex('idempotency_keys')
      .where({ store_id: storeId, principal, operation, key })
      .first('outcome', 'status', 'answer', 'request_hash')
  })
  if (!row || !hash.equals(row.request_hash)) throw IdempotencyErrors.reused()
  if (row.status !== null) return { state: 'answered', answer: row.answer }
  if (row.outcome !== null) return { state: 'committed', outcome: row.outcome.value }
  if (row.claimed) return { state: 'fresh' }
  throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

const where = ({ storeId, principal, operation, key }: KeyedRequest) => ({
  store_id: storeId,
  principal,
  operation,
  key,
})

/** Records, in the transaction of the change, that it was made: from its commit on it is never made again. */
export async function recordOutcome(tx: StoreTx, request: KeyedRequest, outcome: unknown): Promise<void> {
  await tx
    .knex('idempotency_keys')
    .where(where(request))
    .update({ outcome: JSON.stringify({ value: outcome ?? null }) })
}

/** Keeps the answer for repeats; inside the transaction of the change where the answer is known by then. */
export async function recordAnswer(tx: StoreTx, request: KeyedRequest, answer: Answer): Promise<void> {
  await tx
    .knex('idempotency_keys')
    .where(where(request))
    .update({ status: answer.status, answer: JSON.stringify(answer) })
}

/** A failed request changed nothing. Its refusal is kept, or, where a repeat may fare better, its key is freed. */
export async function recordFailure(request: KeyedRequest, error: unknown, text: string): Promise<void> {
  const lasting = error instanceof CodedError && error.status < 500 && ![401, 429].includes(error.status)
  await inStore(request.storeId, async (tx) => {
    if (lasting) await recordAnswer(tx, request, { status: error.status, text })
    else await tx.knex('idempotency_keys').where(where(request)).whereNull('outcome').delete()
  })
}
