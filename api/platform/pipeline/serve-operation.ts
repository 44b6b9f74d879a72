import type { Context, Middleware } from 'koa'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'
import { auditOf, type Recorder } from '../audit/audit.ts'
import { type AuthContext, authenticate } from '../auth/authenticate.ts'
import { plainAddress } from '../auth/client-address.ts'
import {
  claim,
  hashRequest,
  type KeyedRequest,
  keyOf,
  type RenderedResponse,
  recordFailure,
  recordOutcome,
  recordResponse,
} from '../idempotency/idempotency.ts'
import { type Input, inputReader } from '../input/input.ts'
import { languageOf } from '../input/language.ts'
import { errorEnvelope } from '../output/error-reply.ts'
import { envelope, Reply, send } from '../output/reply.ts'
import { cacheResponses } from '../output/response-cache.ts'
import { limitAnonymous, limitEarly, limitExact } from '../rate-limits/rate-limit.ts'
import type { Operation, RequestInfo } from './endpoint.ts'
import { type AuditedOperation, type CallContext, runOperation } from './unit-of-work.ts'

/** Makes the middleware of an operation: admit → count → read and check the input → handle in the store → answer. */
export function serveOperation(declared: Operation, all: readonly Operation[]): Middleware {
  const operation: AuditedOperation = { ...declared, startAudit: auditOf(declared, all) }
  const readInput = inputReader(operation)
  const keep = operation.cached ? cacheResponses() : undefined

  return async (ctx) => {
    const admission = await admitRequest(ctx, operation)
    ctx.state.storeId = admission.visit?.store.id
    const work = async () => {
      // The rest of a body may take two minutes. Whoever holds it back could else act by a session that was closed
      // meanwhile, and so make another for themselves, or an API token.
      const isWhole = ctx.req.complete
      const input = await readInput(ctx)
      const present = isWhole ? admission : await authenticate(ctx, operation.access)
      await limitExact(ctx, operation, present, input.body)
      return executeOperation(ctx, operation, present, input)
    }
    if (keep) return keep(ctx, admission, work)
    const answer = await work()
    for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
    send(ctx, answer.status, answer.text)
  }
}

async function admitRequest(ctx: Context, operation: Operation): Promise<AuthContext> {
  try {
    const admission = await authenticate(ctx, operation.access)
    await limitEarly(ctx, operation, admission)
    return admission
  } catch (error) {
    // Keys and tokens are not guessed without end, nor is it asked without end for what is not allowed.
    if (error instanceof CodedError && [401, 403].includes(error.status)) await limitAnonymous(ctx, 'refused')
    throw error
  }
}

async function executeOperation(
  ctx: Context,
  operation: AuditedOperation,
  admission: AuthContext,
  input: Input,
): Promise<RenderedResponse> {
  const { visit, given, principal } = admission
  const call = {
    ...given,
    store: visit?.store ?? null,
    ...input,
    request: requestInfo(ctx, visit),
  }
  const admitAnew = () => authenticate(ctx, operation.access)
  const key = keyOf(ctx, operation)
  if (!visit || operation.access.kind === 'open')
    return finish(operation, call, await runOperation(operation, null, call, { reauthenticate: admitAnew }))
  if (!key)
    return finish(
      operation,
      call,
      await runOperation(operation, visit.store.id, call, { reauthenticate: admitAnew }),
    )

  const name = `${operation.method} ${operation.path}`
  const isJson = operation.accepts === 'application/json'
  const hash = hashRequest(ctx.url, isJson ? input.body : ctx.get('Content-Length'))
  const holder = newId()
  const keyed = { storeId: visit.store.id, principal, operation: name, key, hash, holder }
  return executeOnce(keyed, operation, call, { ctx, admitAnew })
}

async function finish(operation: Operation, call: CallContext, outcome: unknown): Promise<RenderedResponse> {
  return renderResponse(
    operation,
    operation.respond ? await operation.respond(call as never, outcome as never) : outcome,
  )
}

function renderResponse(operation: Operation, result: unknown): RenderedResponse {
  const { data, parts } = result instanceof Reply ? result : new Reply(result)
  const status = parts.status ?? (operation.returns[0] as number)
  return {
    status,
    text: envelope(data, parts.meta ?? null),
    ...(parts.headers ? { headers: parts.headers } : {}),
  }
}

/** The change is made at most once a key, whatever dies between its commit and its answer. */
async function executeOnce(
  keyed: KeyedRequest,
  operation: AuditedOperation,
  call: CallContext,
  { ctx, admitAnew }: { ctx: Context; admitAnew: () => Promise<AuthContext> },
): Promise<RenderedResponse> {
  const claimed = await claim(keyed)
  if (claimed.state === 'answered') {
    ctx.set('Idempotent-Replayed', 'true')
    return claimed.answer
  }
  const record: Recorder<StoreTx> = (tx, outcome) =>
    operation.respond
      ? recordOutcome(tx, keyed, outcome)
      : recordResponse(tx, keyed, renderResponse(operation, outcome))
  try {
    const outcome =
      claimed.state === 'committed'
        ? claimed.outcome
        : await runOperation(operation, keyed.storeId, call, { reauthenticate: admitAnew, record })
    const answer = await finish(operation, call, outcome)
    if (operation.respond) await inStore(keyed.storeId, (tx) => recordResponse(tx, keyed, answer))
    return answer
  } catch (error) {
    await recordFailure(keyed, error, error instanceof CodedError ? errorEnvelope(error) : '')
    throw error
  }
}

function requestInfo(ctx: Context, visit: TenantContext | undefined): RequestInfo {
  return {
    id: ctx.state.requestId,
    ip: plainAddress(ctx.ip),
    base: `${ctx.protocol}://${ctx.host}`,
    userAgent: ctx.get('User-Agent').slice(0, 300),
    language: languageOf(ctx, visit),
    headers: ctx.req.headers,
    stream: ctx.req,
    catalogVersion: visit?.catalogVersion ?? '',
  }
}
