import type { Operation } from '#api/platform/operation/operation.ts'
import { envelope, Reply, type SentResponse } from '#api/platform/output/reply.ts'
import type { CallContext } from './run-operation.ts'

/** Returns the response to the outcome of a handler. The operation's `respond` first waits for the worker, if any. */
export const completeResponse = async (operation: Operation, call: CallContext, outcome: unknown) =>
  renderResponse(
    operation,
    operation.respond ? await operation.respond(call as never, outcome as never) : outcome,
  )

/** Renders the result of an operation as a response. */
export async function renderResponse(operation: Operation, result: unknown): Promise<SentResponse> {
  const { data, parts } = result instanceof Reply ? result : new Reply(result)
  const status = parts.status ?? (operation.returns[0] as number)
  return {
    status,
    text: await envelope(data, parts.meta ?? null),
    ...(parts.headers ? { headers: parts.headers } : {}),
    ...(parts.validUntil ? { validUntil: parts.validUntil } : {}),
  }
}
