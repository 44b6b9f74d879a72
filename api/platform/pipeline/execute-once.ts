import type { Context } from 'koa'
import type { Recorder } from '#api/platform/audit/recorder.ts'
import { recordFailure } from '#api/platform/idempotency/idempotency.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { errorEnvelope } from '#api/platform/output/error-reply.ts'
import { envelope, type SentResponse } from '#api/platform/output/reply.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { claimKey } from '#shared/platform/idempotency/claim-key.ts'
import type { KeyedRequest, RenderedResponse } from '#shared/platform/idempotency/idempotency-key.ts'
import {
  recordLaterResponse,
  recordOutcome,
  recordResponse,
} from '#shared/platform/idempotency/record-response.ts'
import { completeResponse, renderResponse } from './render-response.ts'
import { type AuditedOperation, type CallContext, runOperation, senderOf } from './run-operation.ts'

interface KeyedCall {
  keyed: KeyedRequest
  operation: AuditedOperation
  call: CallContext
  /** Authenticates the caller again. Throws the refusal. */
  reauthenticate: () => Promise<unknown>
}

/** Makes the change at most once for each key, even if the process dies between the commit and the response. */
export async function executeOnce(
  ctx: Context,
  { keyed, operation, call, reauthenticate }: KeyedCall,
): Promise<SentResponse> {
  const claimed = await claimKey(keyed)
  if (claimed.state === 'completed') {
    ctx.set('Idempotent-Replayed', 'true')
    return reviseResponse(operation, keyed.storeId, claimed.response)
  }
  const record: Recorder<StoreTx> = async (tx, outcome) =>
    operation.respond
      ? recordOutcome(tx, keyed, outcome)
      : recordResponse(tx, keyed, await renderResponse(operation, outcome))
  try {
    const outcome =
      claimed.state === 'committed'
        ? claimed.outcome
        : await runOperation(operation, keyed.storeId, call, { reauthenticate, record })
    const response = await completeResponse(operation, call, outcome)
    if (operation.respond) await recordLaterResponse(keyed, response, senderOf(call))
    return response
  } catch (error) {
    const text = error instanceof CodedError ? errorEnvelope(error) : ''
    await recordFailure(keyed, error, { text, by: senderOf(call) })
    throw error
  }
}

/** Returns a stored response, revised by the operation. An error stays unchanged. */
async function reviseResponse(
  { replay }: Operation,
  storeId: string,
  response: RenderedResponse,
): Promise<SentResponse> {
  const body = replay ? JSON.parse(response.text) : { data: null }
  if (!replay || body.data === null) return response
  const data = await inStore(storeId, (tx) => replay(tx, body.data as never))
  return { ...response, text: await envelope(data, body.meta) }
}
