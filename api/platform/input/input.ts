import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import type { TObject, TSchema } from 'typebox'
import { RequestErrors } from '#api/platform/errors.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { beginBody, beginFile } from '#api/platform/rate-limits/byte-budgets.ts'
import type { Fault } from '#shared/platform/validation.ts'
import { assertLength, assertMediaType } from './body-headers.ts'
import { readJson } from './read-json.ts'
import type { RequestPart } from './request-part.ts'
import { reserveStream } from './stream-bytes.ts'
import { rejectUnstorable } from './text.ts'
import { faultsOf, type PartCheck, prepareCheck, throwFaults } from './validate.ts'

export interface Input {
  params?: unknown
  query?: unknown
  body?: unknown
}

/**
 * Compiles the checks that stop at the first fault. A web process does this before it listens: otherwise the first
 * request of each operation would, and block the event loop for up to 90 ms.
 */
export function compileChecks(operations: readonly Operation[]): void {
  for (const check of allChecks(operations)) check.first()
}

/**
 * Compiles the checks that find every fault, one in a turn of the event loop. A request that needs one earlier compiles
 * it.
 */
export async function compileCompleteChecks(operations: readonly Operation[]): Promise<void> {
  for (const check of allChecks(operations)) {
    check.all()
    await setImmediate()
  }
}

const allChecks = (operations: readonly Operation[]): PartCheck[] =>
  operations.flatMap((operation) => Object.values(checksOf(operation)))

const checksOf = ({ params, query, body }: Operation): Partial<Record<RequestPart, PartCheck>> => ({
  ...(params ? { path: prepareCheck('path', params) } : {}),
  ...(query ? { query: prepareCheck('query', query) } : {}),
  ...(body ? { body: prepareCheck('body', body) } : {}),
})

/** Creates the reader of an operation's input. It reports all faults of path, query and body together. */
export function inputReader(operation: Operation): (ctx: Context) => Promise<Input> {
  const { query, body, accepts, alsoAccepts = [], rawBody, bodyLimit, access } = operation
  const checks = checksOf(operation)
  const lists = listParametersOf(query)
  const takesJson = accepts === 'application/json' && !rawBody

  return async (ctx) => {
    const input = {
      params: { ...ctx.params },
      query: splitLists(readQuery(ctx), lists),
      body: await readBody(),
    }
    const faults = [
      ...check(checks.path, input.params),
      ...(checks.query ? check(checks.query, input.query) : extraFaults(input.query)),
      ...(takesJson ? check(checks.body, input.body) : []),
    ]
    throwFaults(faults)
    return input

    async function readBody() {
      if (takesJson) return body ? readJson(ctx, bodyLimit, access.kind) : undefined
      assertMediaType(ctx, accepts, ...alsoAccepts)
      assertLength(ctx, bodyLimit)
      reserveStream(ctx.req, rawBody ? beginBody(ctx, access.kind) : beginFile(ctx))
      return undefined
    }
  }
}

function check(prepared: PartCheck | undefined, value: unknown): Fault[] {
  if (!prepared) return []
  if (prepared.part === 'body' && value === undefined)
    return [{ loc: ['body'], msg: 'Field required', type: 'missing' }]
  return faultsOf(prepared, value)
}

const extraFaults = (query: Record<string, unknown>): Fault[] =>
  Object.keys(query).map((name) => ({
    loc: ['query', name],
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  }))

/** Returns the parameters with several values, by their schema. */
const listParametersOf = (query: TSchema | undefined): string[] =>
  Object.entries((query as Partial<TObject> | undefined)?.properties ?? {}).flatMap(([name, schema]) =>
    (schema as { type?: unknown }).type === 'array' ? [name] : [],
  )

/** Splits the values of these parameters at commas. */
function splitLists(query: Record<string, unknown>, names: string[]): Record<string, unknown> {
  for (const name of names)
    if (name in query) query[name] = [query[name]].flat().flatMap((value) => String(value).split(','))
  return query
}

function readQuery(ctx: Context): Record<string, unknown> {
  if (!ctx.querystring) return {}
  // Use no prototype, because a parameter can be named __proto__.
  const query: Record<string, unknown> = Object.create(null)
  try {
    decodeURIComponent(ctx.querystring.replaceAll('+', ' '))
  } catch {
    throw RequestErrors.malformed({
      why: 'the query is not percent-encoded UTF-8',
    })
  }
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    rejectUnstorable(name + value, 'the query')
    addValue(query, name, value)
  }
  return query
}

/**
 * Adds a value of a parameter. A repeated parameter becomes a list, which is a fault if the schema allows no list. The
 * list grows in place: a query can have 8,000 values, and copying the list for each would block the process for 300 ms.
 */
function addValue(query: Record<string, unknown>, name: string, value: string): void {
  const known = query[name]
  if (Array.isArray(known)) known.push(value)
  else query[name] = known === undefined ? value : [known, value]
}
