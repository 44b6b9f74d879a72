import type { Context, Middleware } from 'koa'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import type { StoreVisit } from '#shared/stores/find-store.ts'
import { auditOf, type Recorder } from '../audit/audit.ts'
import { type Admission, admit } from '../auth/authenticate.ts'
import { plainAddress } from '../auth/client-address.ts'
import {
  type Answer,
  claim,
  hashRequest,
  type KeyedRequest,
  keyOf,
  recordAnswer,
  recordFailure,
  recordOutcome,
} from '../idempotency/idempotency.ts'
import { type Input, inputReader } from '../input/input.ts'
import { languageOf } from '../input/language.ts'
import { errorEnvelope } from '../output/error-reply.ts'
import { envelope, Reply, send } from '../output/reply.ts'
import { keepAnswers } from '../output/response-cache.ts'
import { countEarly, countExactly, countStranger } from '../rate-limits/rate-limit.ts'
import type { Operation, RequestFacts } from './endpoint.ts'
import { type AnyCall, change, type Served } from './unit-of-work.ts'

/** Makes the middleware of an operation: admit → count → read and check the input → handle in the store → answer. */
export function serve(declared: Operation, all: readonly Operation[]): Middleware {
  const operation: Served = { ...declared, audit: auditOf(declared, all) }
  const readInput = inputReader(operation)
  const keep = operation.kept ? keepAnswers() : undefined

  return async (ctx) => {
    const admission = await letIn(ctx, operation)
    ctx.state.storeId = admission.visit?.store.id
    const work = async () => {
      // The rest of a body may take two minutes. Whoever holds it back could else act by a session that was closed
      // meanwhile, and so make another for themselves, or an API token.
      const isWhole = ctx.req.complete
      const input = await readInput(ctx)
      const present = isWhole ? admission : await admit(ctx, operation.access)
      await countExactly(ctx, operation, present, input.body)
      return perform(ctx, operation, present, input)
    }
    if (keep) return keep(ctx, admission, work)
    const answer = await work()
    for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
    send(ctx, answer.status, answer.text)
  }
}

async function letIn(ctx: Context, operation: Operation): Promise<Admission> {
  try {
    const admission = await admit(ctx, operation.access)
    await countEarly(ctx, operation, admission)
    return admission
  } catch (error) {
    // Keys and tokens are not guessed without end, nor is it asked without end for what is not allowed.
    if (error instanceof CodedError && [401, 403].includes(error.status)) await countStranger(ctx, 'refused')
    throw error
  }
}

async function perform(ctx: Context, operation: Served, admission: Admission, input: Input): Promise<Answer> {
  const { visit, given, principal } = admission
  const call = {
    ...given,
    store: visit?.store ?? null,
    ...input,
    request: factsOf(ctx, visit),
  }
  const admitAnew = () => admit(ctx, operation.access)
  const key = keyOf(ctx, operation)
  if (!visit || operation.access.kind === 'open')
    return finish(operation, call, await change(operation, null, call, { admitAnew }))
  if (!key) return finish(operation, call, await change(operation, visit.store.id, call, { admitAnew }))

  const name = `${operation.method} ${operation.path}`
  const isJson = operation.accepts === 'application/json'
  const hash = hashRequest(ctx.url, isJson ? input.body : ctx.get('Content-Length'))
  const holder = newId()
  const keyed = { storeId: visit.store.id, principal, operation: name, key, hash, holder }
  return once(keyed, operation, call, { ctx, admitAnew })
}

async function finish(operation: Operation, call: AnyCall, outcome: unknown): Promise<Answer> {
  return toAnswer(
    operation,
    operation.answer ? await operation.answer(call as never, outcome as never) : outcome,
  )
}

function toAnswer(operation: Operation, result: unknown): Answer {
  const { data, parts } = result instanceof Reply ? result : new Reply(result)
  const status = parts.status ?? (operation.returns[0] as number)
  return {
    status,
    text: envelope(data, parts.meta ?? null),
    ...(parts.headers ? { headers: parts.headers } : {}),
  }
}

/** The change is made at most once a key, whatever dies between its commit and its answer. */
async function once(
  keyed: KeyedRequest,
  operation: Served,
  call: AnyCall,
  { ctx, admitAnew }: { ctx: Context; admitAnew: () => Promise<Admission> },
): Promise<Answer> {
  const claimed = await claim(keyed)
  if (claimed.state === 'answered') {
    ctx.set('Idempotent-Replayed', 'true')
    return claimed.answer
  }
  const record: Recorder<StoreTx> = (tx, outcome) =>
    operation.answer
      ? recordOutcome(tx, keyed, outcome)
      : recordAnswer(tx, keyed, toAnswer(operation, outcome))
  try {
    const outcome =
      claimed.state === 'committed'
        ? claimed.outcome
        : await change(operation, keyed.storeId, call, { admitAnew, record })
    const answer = await finish(operation, call, outcome)
    if (operation.answer) await inStore(keyed.storeId, (tx) => recordAnswer(tx, keyed, answer))
    return answer
  } catch (error) {
    await recordFailure(keyed, error, error instanceof CodedError ? errorEnvelope(error) : '')
    throw error
  }
}

function factsOf(ctx: Context, visit: StoreVisit | undefined): RequestFacts {
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
