import type { TSchema } from 'typebox'
import type { Operation } from '../pipeline/endpoint.ts'

/** The resource that an operation changes, as the audit log reads it. */
export interface Subject {
  /** The parameter that holds its id; none where the operation creates it, or there is only one. */
  param?: string | undefined
  /** It is the account of who calls. */
  isCaller?: true
  /** The operation that reads it; none where nothing is there to be read before. */
  read: Operation | undefined
  /** What the operation answers is the resource, as `read` would answer it. */
  isAnswered: boolean
}

/** Finds what an operation changes by its address: the resource of its last parameter, or all of the address. */
export function subjectOf(operation: Operation, all: readonly Operation[]): Subject {
  return ownAccountOf(operation, all) ?? addressedBy(operation, all)
}

const OWN = /^(\/super-admin)?\/auth\/[^:]+$/

/** Whoever signs in changes their own account there: one of those that `/admin/users` are, shown as it sees itself. */
function ownAccountOf(operation: Operation, all: readonly Operation[]): Subject | undefined {
  const [isOwn, ofPlatform] = OWN.exec(operation.path) ?? []
  if (!isOwn) return undefined
  // Nothing reads it in a transaction; and what such an operation answers is a secret, or says nothing.
  if (ofPlatform) return { isCaller: true, read: undefined, isAnswered: false }
  const read = all.filter(isPlainRead('account')).find(({ path }) => path === '/auth/me')
  const isAnswered = read !== undefined && schemaOf(operation) === schemaOf(read)
  return { isCaller: true, read, isAnswered }
}

function addressedBy(operation: Operation, all: readonly Operation[]): Subject {
  const { path, kind } = asStaffChangeIt(operation, all)
  const steps = path.split('/')
  const last = steps.findLastIndex((step) => step.startsWith(':'))
  const nearest = last < 0 ? steps.slice(0, 3) : steps.slice(0, last + 1)
  const found = readerOf(path, nearest.join('/'), all.filter(isPlainRead(kind)))
  const isAnswered = !operation.respond && (!found || isSameShape(found, operation))
  return {
    param: steps[last]?.slice(1),
    ...(isAnswered || !createsAnother(operation)
      ? { read: found, isAnswered }
      : { read: undefined, isAnswered: true }),
  }
}

/** Where the store's own staff make the same change, if they can: a super-admin makes it to the same resource. */
function asStaffChangeIt({ path, access }: Operation, all: readonly Operation[]) {
  const own = path.replace('/super-admin/stores/:id/', '/admin/')
  const isTheirs = own !== path && all.some((one) => one.path === own)
  return isTheirs ? { path: own, kind: 'staff' } : { path, kind: access.kind }
}

/** The read at the address itself, or else the nearest above it that is still about the resource. */
function readerOf(path: string, nearest: string, reads: readonly Operation[]): Operation | undefined {
  for (let at = path; at.length >= nearest.length; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = reads.find((one) => one.path === at && (at === path || !isList(one)))
    if (found) return found
  }
  return undefined
}

/** One that reads in the given transaction and needs no more than its path. */
const isPlainRead =
  (kind: string) =>
  ({ access, method, transaction, query, paginated, cached: kept }: Operation): boolean =>
    access.kind === kind && method === 'get' && transaction === 'automatic' && !query && !paginated && !kept

/** Something below or beside the resource, which it leaves as it is: what was made is all that there is to tell. */
const createsAnother = ({ method, returns, respond: answer }: Operation): boolean =>
  method === 'post' && returns[0] === 201 && !answer

type Schema = TSchema & { type?: string; items?: TSchema; properties?: object }

const schemaOf = ({ returns }: Operation): Schema => returns.at(-1) as Schema

const isList = (operation: Operation): boolean => schemaOf(operation).type === 'array'

/** Whether an operation answers all that the read does; it may answer more, such as a secret that is shown once. */
function isSameShape(read: Operation, operation: Operation): boolean {
  const [expected, given] = [namesIn(schemaOf(read)), namesIn(schemaOf(operation))]
  return isList(read) === isList(operation) && expected.every((name) => given.includes(name))
}

const namesIn = ({ items, properties }: Schema): string[] =>
  Object.keys((items as Schema | undefined)?.properties ?? properties ?? {})
