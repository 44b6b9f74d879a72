import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { type NamedStatement, namedStatement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { mayStoreBytes, type StoringSender } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { IdempotencyErrors } from './errors.ts'
import {
  isKeySql,
  KEY_TYPES,
  type KeyedRequest,
  type RenderedResponse,
  sealRecord,
} from './idempotency-key.ts'

const OUTCOME_TYPES = { ...KEY_TYPES, holder: 'uuid', sealed: 'text', namedIds: 'uuid[]' }
const RESPONSE_TYPES = { ...OUTCOME_TYPES, status: 'integer' }
type Parameter = keyof typeof RESPONSE_TYPES

const RECORD_OUTCOME = namedStatement(
  'record_outcome',
  OUTCOME_TYPES,
  ({ holder, sealed, namedIds, ...key }) => `
    update idempotency_keys set outcome = ${sealed}, named_ids = ${namedIds}
    where ${isKeySql(key)} and holder = ${holder} returning key`,
)

// Keep the ids of the outcome, which stays beside the response.
const setResponseSql = ({ sealed, namedIds, status }: Record<'sealed' | 'namedIds' | 'status', string>) => `
  set response = ${sealed}, status = ${status},
    named_ids = case when outcome is null then '{}' else named_ids end || ${namedIds}`

const RECORD_RESPONSE = namedStatement(
  'record_response',
  RESPONSE_TYPES,
  ({ holder, ...parameters }) => `
    update idempotency_keys ${setResponseSql(parameters)}
    where ${isKeySql(parameters)} and (holder = ${holder} or outcome is not null) returning key`,
)

const RECORD_ERROR = namedStatement(
  'record_error',
  RESPONSE_TYPES,
  ({ holder, ...parameters }) => `
    update idempotency_keys ${setResponseSql(parameters)}
    where ${isKeySql(parameters)} and holder = ${holder} returning key`,
)

/**
 * Records the outcome of the change in its transaction. After the commit the change is never made again. A run that
 * lost its claim throws `idempotency.in_progress`, even if the other run has committed its outcome.
 */
export const recordOutcome = (tx: StoreTx, request: KeyedRequest, outcome: unknown): Promise<void> =>
  record(tx, RECORD_OUTCOME, request, outcome ?? null)

/**
 * Records the response for repeats in the transaction of the change. Only the run with the claim may record it, or any
 * run after an outcome is recorded.
 */
export const recordResponse = (
  tx: StoreTx,
  request: KeyedRequest,
  response: RenderedResponse,
): Promise<void> => record(tx, RECORD_RESPONSE, request, response, response.status)

/**
 * Records the response for repeats after the commit of the change. If its sender has stored too much, records nothing,
 * and a repeat renders the response again from the outcome.
 */
export async function recordLaterResponse(
  request: KeyedRequest,
  response: RenderedResponse,
  by: StoringSender,
): Promise<void> {
  const { sealed, namedIds, bytes } = sealRecord(request, response)
  if (!(await mayStoreBytes(request.storeId, by, bytes))) return
  const status = String(response.status)
  const values = RECORD_RESPONSE.values({ ...request, sealed, namedIds, status })
  const recorded = await executeInStore(request.storeId, RECORD_RESPONSE, values)
  if (!recorded.length) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

/** Records the error of a failed run. Throws `idempotency.in_progress` if it lost its claim: the other run responds. */
export const recordError = (tx: StoreTx, request: KeyedRequest, response: RenderedResponse): Promise<void> =>
  record(tx, RECORD_ERROR, request, response, response.status)

async function record(
  tx: StoreTx,
  statement: NamedStatement<Parameter>,
  request: KeyedRequest,
  value: unknown,
  status?: number,
): Promise<void> {
  const { sealed, namedIds, bytes } = sealRecord(request, value)
  const values = statement.values({ ...request, sealed, namedIds, status })
  const recorded = await tx.prepared(statement, values)
  if (!recorded.length) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
  tx.noteStored(bytes)
}
