import type { Context, Middleware } from 'koa'
import { startAuditOf } from '#api/platform/audit/audit.ts'
import { assertRecentSignIn } from '#api/platform/auth/assert-recent-sign-in.ts'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { authenticate } from '#api/platform/auth/authenticate.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { assertChallenge } from '#api/platform/challenge/challenge.ts'
import { hashRequest, keyOf } from '#api/platform/idempotency/idempotency.ts'
import { type Input, inputReader } from '#api/platform/input/input.ts'
import { languageOf } from '#api/platform/input/language.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { type SentResponse, send } from '#api/platform/output/reply.ts'
import { cacheResponses } from '#api/platform/output/response-cache.ts'
import { sendCsv, wantsCsv } from '#api/platform/output/send-csv.ts'
import { reserveResponse } from '#api/platform/rate-limits/byte-budgets.ts'
import { countedLimits } from '#api/platform/rate-limits/limits.ts'
import { limitExact } from '#api/platform/rate-limits/rate-limit.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { newId } from '#shared/platform/db/id.ts'
import { currentClient } from '#shared/platform/db/waiting-client.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'
import { authenticateAndLimit } from './authenticate-and-limit.ts'
import { executeOnce } from './execute-once.ts'
import { respondTo } from './render-response.ts'
import { type AuditedOperation, runOperation } from './run-operation.ts'

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
    const respond = async (): Promise<SentResponse | CsvFile> => {
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
      await sendCached(ctx, auth, respond as () => Promise<SentResponse>)
      reserveResponse(ctx, operation.access.kind)
      return waitToWrite(ctx)
    }
    const response = await respond()
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

async function executeOperation(
  ctx: Context,
  operation: AuditedOperation,
  { tenant, context, principal }: AuthContext,
  input: Input,
): Promise<SentResponse | CsvFile> {
  const call = {
    ...context,
    store: tenant?.store ?? null,
    ...input,
    request: requestInfo(ctx, operation, tenant),
    ifMatch: ctx.req.headers['if-match'],
  }
  const reauthenticate = () => authenticate(ctx, operation.access)
  const storeId = operation.access.kind === 'open' ? null : (tenant?.store.id ?? null)
  const key = keyOf(ctx, operation)
  if (!storeId || !key) {
    const outcome = await runOperation(operation, storeId, call, { reauthenticate })
    return outcome instanceof CsvFile ? outcome : respondTo(operation, call, outcome)
  }

  const isJson = operation.accepts === 'application/json'
  const hash = hashRequest(ctx.url, isJson ? input.body : ctx.get('Content-Length'))
  const name = `${operation.method} ${operation.path}`
  const keyed = { storeId, principal, operation: name, key, hash, holder: newId() }
  return executeOnce(ctx, { keyed, operation, call, reauthenticate })
}

const requestInfo = (ctx: Context, operation: Operation, tenant: TenantContext | undefined): RequestInfo => ({
  id: ctx.state.requestId,
  ip: addressesOf(ctx.req).ip,
  network: addressesOf(ctx.req).network,
  base: `${ctx.protocol}://${ctx.host}`,
  userAgent: ctx.get('User-Agent').slice(0, 300),
  language: languageOf(ctx, tenant),
  // Not a getter: it would give each object a hidden class of its own, which keeps the request in memory for seconds.
  wantsCsv: operation.csv !== undefined && wantsCsv(ctx),
  headers: ctx.req.headers,
  bodyBytes: ctx.state.bodyBytes ?? 0,
  stream: ctx.req,
  catalogVersion: tenant?.catalogVersion ?? '',
})
