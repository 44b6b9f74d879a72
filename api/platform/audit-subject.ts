import type { TSchema } from 'typebox'
import type { Operation } from './endpoint.ts'

/** What an admin operation changes, as the audit log names it and looks at it. */
export interface Subject {
  /** The literal steps of its address: `webhooks`, `tax/classes`. */
  type: string
  /** The parameter that holds its id; none where the operation creates it, or there is only one. */
  param: string | undefined
  /** The operation that reads it, if there is one: what it answers before the change is the entry's `before`. */
  read: Operation | undefined
}

/** Finds what an operation changes by its address: the resource of its last parameter, or all of the address. */
export function subjectOf(operation: Operation, all: readonly Operation[]): Subject {
  const steps = operation.path.split('/')
  const last = steps.findLastIndex((step) => step.startsWith(':'))
  const resource = last < 0 ? steps : steps.slice(0, last + 1)
  return {
    type: resource
      .slice(2)
      .filter((step) => !step.startsWith(':'))
      .join('/'),
    param: steps[last]?.slice(1),
    read: readerOf(operation, resource.join('/'), all),
  }
}

/** The read at the operation's own address, or else the nearest above it that is still about the resource. */
function readerOf(
  { path, access }: Operation,
  resource: string,
  all: readonly Operation[],
): Operation | undefined {
  const reads = all.filter((one) => one.access.kind === access.kind && isPlainRead(one))
  for (let at = path; at.length >= resource.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = reads.find((one) => one.path === at && (at === path || !isList(one)))
    if (found) return found
  }
  return undefined
}

/** One that reads in the given transaction and needs no more than its path. */
const isPlainRead = ({ method, transaction, query, paginated, kept }: Operation): boolean =>
  method === 'get' && transaction === 'given' && !query && !paginated && !kept

const isList = ({ returns }: Operation): boolean =>
  (returns.at(-1) as TSchema & { type?: string }).type === 'array'
