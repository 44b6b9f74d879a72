import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdempotencyErrors } from './errors.ts'
import { type KeyedRequest, type RenderedResponse, rowOf, sealRecord } from './idempotency-key.ts'

/**
 * Records the outcome of the change in its transaction. After the commit the change is never made again. A run that
 * lost its claim throws `idempotency.in_progress`, even if the other run has committed its outcome.
 */
export const recordOutcome = (tx: StoreTx, request: KeyedRequest, outcome: unknown): Promise<void> =>
  record(tx, claimOf(tx, request), { outcome: sealRecord(request, outcome ?? null) })

/**
 * Records the response for repeats, in the transaction of the change if the response is already known. Before an
 * outcome is recorded, only the run with the claim may record the response; afterwards any run may.
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

/** Records the error of a failed run. If the run lost its claim, it records nothing, because the other run responds. */
export const recordError = (tx: StoreTx, request: KeyedRequest, response: RenderedResponse): Promise<void> =>
  record(tx, claimOf(tx, request), columnsOf(request, response))

const columnsOf = (request: KeyedRequest, response: RenderedResponse) => ({
  status: response.status,
  response: sealRecord(request, response),
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

/** Returns a query of the row if this run still holds its claim. */
const claimOf = (tx: StoreTx, request: KeyedRequest) => rowOf(tx, request).where('holder', request.holder)
