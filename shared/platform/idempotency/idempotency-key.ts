import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { findIds } from './find-ids.ts'

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

/** An outcome or response as it is stored. */
interface SealedRecord {
  sealed: string
  /** The ids in it as a `uuid[]`, by which the job that erases a person finds it without decrypting all others. */
  namedIds: string
  bytes: number
}

const ID_BYTES = 16

/** Encrypts an outcome or response of a request. */
export function sealRecord(request: KeyedRequest, value: unknown): SealedRecord {
  const text = JSON.stringify(value)
  const sealed = idempotentResponses.of(request).seal(text)
  const ids = findIds(text)
  return { sealed, namedIds: `{${[...ids].join()}}`, bytes: sealed.length + ids.size * ID_BYTES }
}

export const openRecord = (request: KeyedRequest, sealed: string) =>
  JSON.parse(idempotentResponses.of(request).open(sealed))

/** The types of the parameters that find the row of a key in its store. */
export const KEY_TYPES = { principal: 'text', operation: 'text', key: 'text' }

/** SQL: whether a row is that of a key. */
export const isKeySql = ({ principal, operation, key }: Record<keyof typeof KEY_TYPES, string>): string =>
  `store_id = ${CURRENT_STORE} and principal = ${principal} and operation = ${operation} and key = ${key}`
