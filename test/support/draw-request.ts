import { randomUUID } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/endpoint.ts'
import { PASSWORD } from './build-accounts.ts'
import { spoiled, valuesOf, type Words } from './draw-value.ts'
import type { FurnishedStore } from './furnish-store.ts'
import { IN_PATHS, IN_QUERIES, nameOf } from './names-in-requests.ts'

/** Where requests are drawn for: a store with something of everything, and another one. */
export interface Ground {
  own: FurnishedStore
  strange: FurnishedStore
  rows: Record<string, string[]>
}

export interface Drawn {
  operation: Operation
  path: string
  caller: Caller
  headers: Record<string, string>
  body?: string
}

/** Any request that the description might make somebody think of. Draws the rarer ones of what ends a store. */
export function someRequest(ground: Ground): Arbitrary<Drawn> {
  const words = wordsOf(ground)
  const [ending, harmless] = [true, false].map((ends) =>
    fc.constantFrom(...endpoints.filter((operation) => ENDS_A_STORE.test(nameOf(operation)) === ends)),
  ) as [Arbitrary<Operation>, Arbitrary<Operation>]
  const requests = new Map<Operation, Arbitrary<Drawn>>()
  return fc
    .oneof({ weight: 1, arbitrary: ending }, { weight: 400, arbitrary: harmless })
    .chain((operation) => {
      const known = requests.get(operation) ?? requestOf(operation, ground, words)
      requests.set(operation, known)
      return known
    })
}

const ENDS_A_STORE =
  /^(DELETE \/admin\/stores\/:store_id|(DELETE|PATCH) \/super-admin\/stores\/:id|POST \/super-admin\/stores\/:id\/\w+)$/

function requestOf(operation: Operation, ground: Ground, words: Words): Arbitrary<Drawn> {
  return fc
    .record({
      path: pathOf(operation, ground, words),
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

// --- Paths, queries and bodies ---

function pathOf({ path, params }: Operation, { own, strange }: Ground, words: Words): Arbitrary<string> {
  const names = path.match(/[\w-]+\/:\w+/g) ?? []
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, unknown> }
  const values = names.map((name) => {
    const [, field = ''] = name.split(':')
    const named = IN_PATHS[name]
    return fc.oneof(
      ...(named ? [{ weight: 9, arbitrary: fc.constantFrom(...named(own)) }] : []),
      ...(named ? [{ weight: 1, arbitrary: fc.constantFrom(...named(strange)) }] : []),
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

/** One in `every` with something in it that does not belong there. */
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

// --- Who calls ---

export type Tokens = Record<'customer' | 'owner' | 'program' | 'root', string>
type Caller = 'nobody' | 'key' | 'guest' | keyof Tokens

const CALLERS: Record<Operation['access']['kind'], Caller[]> = {
  open: ['key', 'nobody'],
  storefront: ['key'],
  guest: ['guest', 'customer'],
  customer: ['customer'],
  account: ['customer', 'owner'],
  staff: ['owner', 'owner', 'program'],
  super_admin: ['root'],
}
const ANYBODY: Caller[] = ['nobody', 'key', 'guest', 'customer', 'owner', 'program', 'root']

const callerOf = ({ access }: Operation): Arbitrary<Caller> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...CALLERS[access.kind]) },
    { weight: 1, arbitrary: fc.constantFrom(...ANYBODY) },
  )

/** By what a caller is known, with the tokens that are good now. */
export function credentialsOf({ caller }: Drawn, { own }: Ground, tokens: Tokens): Record<string, string> {
  const key = { 'X-Service-Key': own.store.key }
  if (caller === 'nobody') return {}
  if (caller === 'key') return key
  if (caller === 'guest') return { ...key, 'X-Cart-Token': own.cart.token }
  const Authorization = `Bearer ${tokens[caller]}`
  return caller === 'customer' ? { ...key, Authorization } : { Authorization }
}

const MORE_HEADERS = {
  'If-Match': fc.constantFrom('*', '"1"', 'W/"x"', 'nonsense'),
  'If-None-Match': fc.constantFrom('*', '"1"', 'nonsense'),
  'Accept-Language': fc.constantFrom('de-CH, fr;q=0.5', '*', ';;;', 'x'.repeat(300)),
  Accept: fc.constantFrom('text/csv', '*/*', 'nonsense'),
  Prefer: fc.constant('respond-async'),
}

/** Most are new, some were used before, a few are none. */
const KEYS: Arbitrary<{ 'Idempotency-Key'?: string }> = fc.oneof(
  { weight: 10, arbitrary: fc.uuid().map((key) => ({ 'Idempotency-Key': key })) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b').map((key) => ({ 'Idempotency-Key': key })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({}, { 'Idempotency-Key': 'x'.repeat(256) }, { 'Idempotency-Key': ' ' }),
  },
)

// --- Words ---

const USUAL = [
  PASSWORD,
  'EUR',
  'USD',
  'DE',
  'US',
  'US-CA',
  'en',
  'https://shop.example/x',
  'ada@example.test',
]
const TIMES = ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z', '2026-02-28', '2026-10-10']

/** All texts that the store's own things are called by, a few of another's, and a few that everybody uses. */
function wordsOf({ own, strange, rows }: Ground): Words {
  const ids = JSON.stringify(rows).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
  const any = [...textsIn(own), ...textsIn(strange).slice(0, 20), ...ids, ...USUAL, ...TIMES, randomUUID()]
  return { any: [...new Set(any)], of: (field) => IN_QUERIES[field]?.(own) ?? [] }
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}
