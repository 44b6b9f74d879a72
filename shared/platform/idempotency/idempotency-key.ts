import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'

/** A response is replayed for this time. The purge deletes it up to an hour later. */
export const RETENTION_MS = DAY_MS

/** A request with an Idempotency-Key. The key is unique by store, principal and operation. */
export interface KeyedRequest {
  storeId: string
  principal: string
  operation: string
  key: string
  /** The hash of the request's URL and body. Another request with the same key is refused. */
  hash: Buffer
  /** The id of this run. A run that lost its claim to a later run commits nothing. */
  holder: string
}

/** A response as it is sent. */
export interface RenderedResponse {
  status: number
  text: string
  headers?: Record<string, string>
}

/**
 * Stored outcomes and responses are encrypted, because a response may contain a secret that is nowhere else in plain
 * text, e.g. the token of a new cart. The purge deletes them within an hour after their 24 hours.
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

/** Encrypts an outcome or response of a request. */
export const sealRecord = (request: KeyedRequest, value: unknown): string =>
  idempotentResponses.of(request).seal(JSON.stringify(value))

export const openRecord = (request: KeyedRequest, sealed: string) =>
  JSON.parse(idempotentResponses.of(request).open(sealed))

/** Returns a query of the row of a key. */
export const rowOf = (tx: StoreTx, { storeId, principal, operation, key }: KeyedRequest) =>
  tx.knex('idempotency_keys').where({ store_id: storeId, principal, operation, key })
