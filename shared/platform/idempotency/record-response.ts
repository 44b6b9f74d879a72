import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { mayStoreBytes, type StoringSender } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { IdempotencyErrors } from './errors.ts'
import { IS_KEY, type KeyedRequest, keyValues, type RenderedResponse, sealRecord } from './idempotency-key.ts'

const IS_CLAIMED = `${IS_KEY} and holder = $4`

const RECORD_OUTCOME: Statement = {
  name: 'record_outcome',
  text: `update idempotency_keys set outcome = $5, named_ids = $6::uuid[] where ${IS_CLAIMED} returning key`,
}

// Keep the ids of the outcome, which stays beside the response.
const SET_RESPONSE = `
  response = $5, named_ids = case when outcome is null then '{}' else named_ids end || $6::uuid[], status = $7`

const RECORD_RESPONSE: Statement = {
  name: 'record_response',
  text: `
    update idempotency_keys set ${SET_RESPONSE}
    where ${IS_KEY} and (holder = $4 or outcome is not null) returning key`,
}

const RECORD_ERROR: Statement = {
  name: 'record_error',
  text: `update idempotency_keys set ${SET_RESPONSE} where ${IS_CLAIMED} returning key`,
}

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
  const values = [...keyValues(request), request.holder, sealed, namedIds, `${response.status}`]
  const recorded = await executeInStore(request.storeId, RECORD_RESPONSE, values)
  if (!recorded.length) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
}

/** Records the error of a failed run. Throws `idempotency.in_progress` if it lost its claim: the other run responds. */
export const recordError = (tx: StoreTx, request: KeyedRequest, response: RenderedResponse): Promise<void> =>
  record(tx, RECORD_ERROR, request, response, response.status)

async function record(
  tx: StoreTx,
  statement: Statement,
  request: KeyedRequest,
  value: unknown,
  ...status: number[]
): Promise<void> {
  const { sealed, namedIds, bytes } = sealRecord(request, value)
  const values = [...keyValues(request), request.holder, sealed, namedIds, ...status]
  const recorded = await tx.prepared(statement, values)
  if (!recorded.length) throw IdempotencyErrors.inProgress({ retryAfter: 1 })
  tx.noteStored(bytes)
}
