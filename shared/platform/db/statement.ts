import { hash } from 'node:crypto'

/**
 * A prepared statement. Its name is unique in the service. PostgreSQL plans it once for each connection, unless
 * `plannedEachTime`.
 */
export interface Statement {
  name: string
  text: string
  isPlannedEachTime?: true
}

/** A prepared statement whose parameters have names. */
export interface NamedStatement<Name extends string> extends Statement {
  /** Returns the values of the parameters in their order. */
  values<V extends Record<Name, unknown>>(named: V): V[Name][]
}

/**
 * Defines a statement whose parameters have names and types. Its text gets each by name: with `{ jobId: 'uuid' }`,
 * `jobId` is `$1::uuid`.
 */
export function namedStatement<Name extends string>(
  name: string,
  types: Record<Name, string>,
  textOf: (parameters: Record<Name, string>) => string,
): NamedStatement<Name> {
  const names = Object.keys(types) as Name[]
  const parameters = Object.fromEntries(names.map((each, at) => [each, `$${at + 1}::${types[each]}`]))
  return {
    name,
    text: textOf(parameters as Record<Name, string>),
    values: (named) => names.map((each) => named[each]),
  }
}

const STORE_SETTING = "current_setting('app.store_id')::uuid"

/**
 * SQL: the id of the transaction's store, which row-level security uses. The planner does not know the result of a
 * subquery. Without it, PostgreSQL would plan for the store that happens to run a statement first, and keep the plan
 * for all stores: a plan for a store without rows finds one row of a large store by reading all of them.
 */
export const CURRENT_STORE = `(select ${STORE_SETTING})`

/**
 * Returns a statement that PostgreSQL plans for its store at each execution. Its text is sent each time, too. Use it
 * for reads of most rows of a store, which take much longer than their plan.
 */
export const plannedEachTime = ({ name, text }: Statement): Statement => ({
  name,
  text: text.replaceAll(CURRENT_STORE, STORE_SETTING),
  isPlannedEachTime: true,
})

// PostgreSQL compares only the first 63 bytes of a prepared statement's name.
const MAX_NAME_LENGTH = 63
const wireNames = new Map<string, string>()

/**
 * Returns the statement's name in the PostgreSQL protocol: its own name, a digest if that is too long, or '' if
 * PostgreSQL keeps no plan of it.
 */
export function wireName({ name, isPlannedEachTime }: Statement): string {
  if (isPlannedEachTime) return ''
  if (name.length <= MAX_NAME_LENGTH) return name
  const known = wireNames.get(name) ?? `digest_${hash('sha256', name, 'base64url')}`
  wireNames.set(name, known)
  return known
}
