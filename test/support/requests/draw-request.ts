import fc, { type Arbitrary } from 'fast-check'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { type Caller, callerOf } from '#test/support/requests/draw-caller.ts'
import { spoiled, valuesOf, type Words } from '#test/support/requests/draw-value.ts'
import { type Targets, wordsOf } from '#test/support/requests/draw-words.ts'
import { IN_PATHS, nameOf } from '#test/support/requests/names-in-requests.ts'

export interface Drawn {
  operation: Operation
  path: string
  caller: Caller
  headers: Record<string, string>
  body?: string
}

/** Any request near the description; rarely one that ends a store, since later requests need the store. */
export function someRequest(targets: Targets): Arbitrary<Drawn> {
  const words = wordsOf(targets)
  const [ending, harmless] = [true, false].map((ends) =>
    fc.constantFrom(...endpoints.filter((operation) => ENDS_A_STORE.test(nameOf(operation)) === ends)),
  ) as [Arbitrary<Operation>, Arbitrary<Operation>]
  const requests = new Map<Operation, Arbitrary<Drawn>>()
  return fc
    .oneof({ weight: 1, arbitrary: ending }, { weight: 400, arbitrary: harmless })
    .chain((operation) => {
      const known = requests.get(operation) ?? requestOf(operation, targets, words)
      requests.set(operation, known)
      return known
    })
}

const ENDS_A_STORE =
  /^(DELETE \/admin\/stores\/:store_id|(DELETE|PATCH) \/super-admin\/stores\/:id|POST \/super-admin\/stores\/:id\/\w+)$/

function requestOf(operation: Operation, targets: Targets, words: Words): Arbitrary<Drawn> {
  return fc
    .record({
      path: pathOf(operation, targets, words),
      query: operation.query ? maybeSpoiled(valuesOf(operation.query, words), 9) : fc.constant({}),
      body: bodyOf(operation, words),
      caller: callerOf(operation),
      more: fc.record(MORE_HEADERS, { requiredKeys: [], noNullPrototype: true }),
      key: KEYS,
    })
    .map(({ path, query, body, caller, more, key }) => ({
      operation,
      path: `${path}${searchOf(query)}`,
      caller,
      headers: {
        ...(operation.idempotency === 'none' ? {} : key),
        ...more,
        ...(body === undefined ? {} : { 'Content-Type': operation.accepts }),
      },
      ...(body === undefined ? {} : { body }),
    }))
}

function pathOf({ path, params }: Operation, { own, other }: Targets, words: Words): Arbitrary<string> {
  const names = path.match(/[\w-]+\/:\w+/g) ?? []
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, unknown> }
  const values = names.map((name) => {
    const [, field = ''] = name.split(':')
    const named = IN_PATHS[name]
    return fc.oneof(
      ...(named ? [{ weight: 9, arbitrary: fc.constantFrom(...named(own)) }] : []),
      ...(named ? [{ weight: 1, arbitrary: fc.constantFrom(...named(other)) }] : []),
      { weight: 2, arbitrary: valuesOf(properties[field] ?? { type: 'string' }, words, field) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
    )
  })
  return fc.tuple(...values).map((drawn) => {
    const left = [...drawn]
    return path.replace(/:\w+/g, () => encodeURIComponent(String(left.shift()).toWellFormed()) || '-')
  })
}

function bodyOf({ body, accepts }: Operation, words: Words): Arbitrary<string | undefined> {
  if (accepts !== 'application/json')
    return fc.array(LINES, { maxLength: 4 }).map((lines) => lines.join('\n'))
  if (!body) return fc.constant(undefined)
  return maybeSpoiled(valuesOf(body, words), 3).map((value) => JSON.stringify(value))
}

const LINES = fc.constantFrom(
  'Handle,Title,Variant SKU,Variant Price',
  'stool,Stool,S-1,10.00',
  '"',
  ',,,',
  'ä;b\u0000',
)

/** One in `every` has an invalid value in it. */
function maybeSpoiled(values: Arbitrary<unknown>, every: number): Arbitrary<unknown> {
  const dice = fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 })
  return fc
    .tuple(values, fc.nat(every - 1), fc.constantFrom(...ODD), dice)
    .map(([value, chance, odd, throws]) => {
      const left = [...throws]
      return chance === 0 ? spoiled(value, odd, (below) => (left.pop() ?? 0) % below) : value
    })
}

const ODD = [
  ...[undefined, null, true, -1, 0, 12.345, 1e21, Number.MAX_SAFE_INTEGER, '', ' ', '\u0000', '\ud800'],
  ...['😀'.repeat(300), 'x'.repeat(5_000), [], {}, [[]], '2026-13-45', "'; select 1 --", '__proto__'],
]

function searchOf(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  )
  const text = (value: unknown) =>
    (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
  return pairs.length
    ? `?${new URLSearchParams(Object.fromEntries(pairs.map(([name, value]) => [name, text(value)])))}`
    : ''
}

const MORE_HEADERS = {
  'If-Match': fc.constantFrom('*', '"1"', 'W/"x"', 'nonsense'),
  'If-None-Match': fc.constantFrom('*', '"1"', 'nonsense'),
  'Accept-Language': fc.constantFrom('de-CH, fr;q=0.5', '*', ';;;', 'x'.repeat(300)),
  Accept: fc.constantFrom('text/csv', '*/*', 'nonsense'),
  Prefer: fc.constant('respond-async'),
}

/** Most are new, some are repeated, a few are missing or invalid. */
const KEYS: Arbitrary<{ 'Idempotency-Key'?: string }> = fc.oneof(
  { weight: 10, arbitrary: fc.uuid().map((key) => ({ 'Idempotency-Key': key })) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b').map((key) => ({ 'Idempotency-Key': key })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({}, { 'Idempotency-Key': 'x'.repeat(256) }, { 'Idempotency-Key': ' ' }),
  },
)
