import type { Context, Middleware } from 'koa'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { currentCaller } from '#shared/platform/db/caller.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import {
  claimKey,
  type KeyedRequest,
  type RenderedResponse,
  recordOutcome,
  recordResponse,
} from '#shared/platform/idempotency/idempotency-key.ts'
import { limitStoredBytes } from '#shared/platform/throttle/stored-bytes.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'
import { startAuditOf } from '../audit/audit.ts'
import type { Recorder } from '../audit/recorder.ts'
import type { AuthContext } from '../auth/auth-context.ts'
import { authenticate } from '../auth/authenticate.ts'
import { plainAddress } from '../auth/client-address.ts'
import { assertChallenge } from '../challenge/challenge.ts'
import { hashRequest, keyOf, recordFailure } from '../idempotency/idempotency.ts'
import { type Input, inputReader } from '../input/input.ts'
import { languageOf } from '../input/language.ts'
import type { Operation } from '../operation/operation.ts'
import type { RequestInfo } from '../operation/request-info.ts'
import { errorEnvelope } from '../output/error-reply.ts'
import { envelope, Reply, type SentResponse, send } from '../output/reply.ts'
import { cacheResponses } from '../output/response-cache.ts'
import { sendCsv } from '../output/send-csv.ts'
import { holdResponse } from '../rate-limits/byte-budgets.ts'
import { limitAnonymous, limitEarly, limitExact } from '../rate-limits/rate-limit.ts'
import { type AuditedOperation, type CallContext, runOperation, senderOf } from './run-operation.ts'

/**
 * Makes the middleware of an operation: authenticate → limit → read and check the input → challenge → handle → respond.
 */
export function serveOperation(declared: Operation, all: readonly Operation[]): Middleware {
  const operation: AuditedOperation = { ...declared, startAudit: startAuditOf(declared, all) }
  const readInput = inputReader(operation)
  const sendCached = operation.cached ? cacheResponses() : undefined

  return async (ctx) => {
    const auth = await authenticateAndLimit(ctx, operation)
    ctx.state.storeId = auth.tenant?.store.id
    const caller = currentCaller()
    if (caller) caller.storeId = auth.tenant?.store.id ?? ''
    const respond = async (): Promise<SentResponse | CsvFile> => {
      // A body may arrive up to two minutes after its headers, and the session may be closed in that time. Without a
      // second check it could still open another session or issue an API token.
      const isComplete = ctx.req.complete
      const input = await readInput(ctx)
      const current = isComplete ? auth : await authenticate(ctx, operation.access)
      const isNearLimit = await limitExact(ctx, operation, current, input.body)
      await assertChallenge(ctx, operation, { isNearLimit, body: input.body })
      return executeOperation(ctx, operation, current, input)
    }
    if (sendCached) {
      await sendCached(ctx, auth, respond as () => Promise<SentResponse>)
      return holdResponse(ctx, operation.access.kind)
    }
    const response = await respond()
    if (response instanceof CsvFile) return sendCsv(ctx, response, auth.principal)
    for (const [name, value] of Object.entries(response.headers ?? {})) ctx.set(name, value)
    send(ctx, response.status, response.text)
    holdResponse(ctx, operation.access.kind)
  }
}

async function authenticateAndLimit(ctx: Context, operation: Operation): Promise<AuthContext> {
  try {
    const auth = await authenticate(ctx, operation.access)
    await limitEarly(ctx, operation, auth)
    return auth
  } catch (error) {
    // Limits guesses of keys and tokens, and repeated requests for forbidden operations.
    if (error instanceof CodedError && [401, 403].includes(error.status)) await limitAnonymous(ctx, 'refused')
    throw error
  }
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
    request: requestInfo(ctx, tenant),
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
  return executeOnce(ctx, keyed, operation, call, reauthenticate)
}

/** Makes the change at most once per key, even if the process dies between the commit and the response. */
async function executeOnce(
  ctx: Context,
  keyed: KeyedRequest,
  operation: AuditedOperation,
  call: CallContext,
  reauthenticate: () => Promise<AuthContext>,
): Promise<SentResponse> {
  const claimed = await claimKey(keyed)
  if (claimed.state === 'completed') {
    ctx.set('Idempotent-Replayed', 'true')
    return reviseResponse(operation, keyed.storeId, claimed.response)
  }
  const record: Recorder<StoreTx> = (tx, outcome) =>
    operation.respond
      ? recordOutcome(tx, keyed, outcome)
      : recordResponse(tx, keyed, renderResponse(operation, outcome))
  try {
    const outcome =
      claimed.state === 'committed'
        ? claimed.outcome
        : await runOperation(operation, keyed.storeId, call, { reauthenticate, record })
    const response = await respondTo(operation, call, outcome)
    if (operation.respond) await keepResponse(keyed, response, call)
    return response
  } catch (error) {
    await recordFailure(keyed, error, error instanceof CodedError ? errorEnvelope(error) : '')
    throw error
  }
}

/** Stores the response, unless the caller stores too much: then a repeat renders it again from the stored outcome. */
const keepResponse = (keyed: KeyedRequest, response: SentResponse, call: CallContext): Promise<void> =>
  inStore(keyed.storeId, async (tx) => {
    await recordResponse(tx, keyed, response)
    limitStoredBytes(tx, senderOf(call))
  }).catch((error) => {
    if (!(error instanceof CodedError) || error.status !== 429) throw error
  })

/** A stored response as the operation sends it again. An error is sent as it is. */
async function reviseResponse(
  { replay }: Operation,
  storeId: string,
  response: RenderedResponse,
): Promise<SentResponse> {
  const body = replay ? JSON.parse(response.text) : { data: null }
  if (!replay || body.data === null) return response
  const data = await inStore(storeId, (tx) => replay(tx, body.data as never))
  return { ...response, text: envelope(data, body.meta) }
}

const respondTo = async (operation: Operation, call: CallContext, outcome: unknown) =>
  renderResponse(
    operation,
    operation.respond ? await operation.respond(call as never, outcome as never) : outcome,
  )

function renderResponse(operation: Operation, result: unknown): SentResponse {
  const { data, parts } = result instanceof Reply ? result : new Reply(result)
  const status = parts.status ?? (operation.returns[0] as number)
  return {
    status,
    text: envelope(data, parts.meta ?? null),
    ...(parts.headers ? { headers: parts.headers } : {}),
    ...(parts.validUntil ? { validUntil: parts.validUntil } : {}),
  }
}

const requestInfo = (ctx: Context, tenant: TenantContext | undefined): RequestInfo => ({
  id: ctx.state.requestId,
  ip: plainAddress(ctx.ip),
  base: `${ctx.protocol}://${ctx.host}`,
  userAgent: ctx.get('User-Agent').slice(0, 300),
  language: languageOf(ctx, tenant),
  get wantsCsv() {
    return ctx.accepts('application/json', 'text/csv') === 'text/csv'
  },
  headers: ctx.req.headers,
  stream: ctx.req,
  catalogVersion: tenant?.catalogVersion ?? '',
})
