import type { Context, Middleware } from 'koa'
import { startAuditOf } from '#api/platform/audit/audit.ts'
import { assertRecentSignIn } from '#api/platform/auth/assert-recent-sign-in.ts'
import { authenticate } from '#api/platform/auth/authenticate.ts'
import { assertChallenge } from '#api/platform/challenge/challenge.ts'
import { inputReader } from '#api/platform/input/input.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { type SentResponse, send } from '#api/platform/output/reply.ts'
import { cacheResponses } from '#api/platform/output/response-cache.ts'
import { sendCsv } from '#api/platform/output/send-csv.ts'
import { reserveResponse } from '#api/platform/rate-limits/byte-budgets.ts'
import { countedLimits } from '#api/platform/rate-limits/limits.ts'
import { limitExact } from '#api/platform/rate-limits/rate-limit.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { currentClient } from '#shared/platform/db/waiting-client.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { authenticateAndLimit } from './authenticate-and-limit.ts'
import { executeOperation } from './execute-operation.ts'
import type { AuditedOperation } from './run-operation.ts'

/**
 * Creates the middleware of an operation: authenticate → limit → read and check the input → recent sign-in → challenge
 * → handle → respond.
 */
export function serveOperation(declared: Operation, all: readonly Operation[]): Middleware {
  const operation: AuditedOperation = { ...declared, startAudit: startAuditOf(declared, all) }
  const readInput = inputReader(operation)
  const limits = countedLimits(operation.limits)
  const sendCached = operation.cached ? cacheResponses() : undefined

  return async (ctx) => {
    const auth = await authenticateAndLimit(ctx, operation, limits)
    ctx.state.storeId = auth.tenant?.store.id
    const client = currentClient()
    if (client) client.storeId = auth.tenant?.store.id ?? ''
    const handleRequest = async (): Promise<SentResponse | CsvFile> => {
      // A body may arrive up to two minutes after its headers, and the session may be closed in this time. Without a
      // second check, the closed session could still open another session or issue an API token.
      const isComplete = ctx.req.complete
      const input = await readInput(ctx)
      const current = isComplete ? auth : await authenticate(ctx, operation.access)
      assertRecentSignIn(operation.recentSignIn, current, input.body)
      const isNearLimit = await limitExact(ctx, limits, current, input.body)
      await assertChallenge(ctx, operation, { isNearLimit, body: input.body })
      return executeOperation(ctx, operation, current, input)
    }
    if (sendCached) {
      await sendCached(ctx, auth, handleRequest as () => Promise<SentResponse>)
      reserveResponse(ctx, operation.access.kind)
      return waitToWrite(ctx)
    }
    const response = await handleRequest()
    const reauthenticate = () => authenticate(ctx, operation.access)
    if (response instanceof CsvFile)
      return sendCsv(ctx, response, { principal: auth.principal, reauthenticate })
    for (const [name, value] of Object.entries(response.headers ?? {})) ctx.set(name, value)
    send(ctx, response.status, response.text)
    reserveResponse(ctx, operation.access.kind)
    return waitToWrite(ctx)
  }
}

const LARGE_RESPONSE = 256 * 1024

/** Waits for a turn of the event loop to write a large response, which takes some milliseconds. */
async function waitToWrite(ctx: Context): Promise<void> {
  if ((ctx.response.length ?? 0) > LARGE_RESPONSE) await takeTurn(ctx.state.storeId)
}
