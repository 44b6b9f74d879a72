import type { TSchema } from 'typebox'
import type { Operation } from '#api/platform/operation/operation.ts'
import { toResourceId } from '#shared/audit/entry.ts'

/** Describes how the audit log reads the resource that an operation changes. */
export interface Subject {
  /** The path parameter with its id; undefined if the operation creates it, or the store has only one. */
  param?: string | undefined
  /** Whether the resource is the caller's own account. */
  isCaller?: true
  /** The operation that reads the resource; undefined if it cannot be read before the change. */
  read: Operation | undefined
  /** Whether the operation responds with the resource, in the shape of `read`. */
  isResponse: boolean
}

/**
 * Finds the changed resource by the path: by the declared path parameter, by default the last one. Without parameters
 * it is the whole path.
 */
export function subjectOf(operation: Operation, all: readonly Operation[]): Subject {
  return ownAccountOf(operation, all) ?? subjectInPath(operation, all)
}

const OWN_ACCOUNT_PATH = /^(\/super-admin)?\/auth\/[^:]+$/

/** Returns the caller's own account for operations below `/auth`. */
function ownAccountOf(operation: Operation, all: readonly Operation[]): Subject | undefined {
  const [matches, isSuperAdmin] = OWN_ACCOUNT_PATH.exec(operation.path) ?? []
  if (!matches) return undefined
  // No operation reads a super-admin in a transaction, and these responses contain secrets or nothing.
  if (isSuperAdmin) return { isCaller: true, read: undefined, isResponse: false }
  const read = all.filter(isPlainRead('account')).find(({ path }) => path === '/auth/me')
  const isResponse = read !== undefined && schemaOf(operation) === schemaOf(read)
  return { isCaller: true, read, isResponse }
}

function subjectInPath(operation: Operation, all: readonly Operation[]): Subject {
  const { path, kind } = staffEquivalent(operation, all)
  const steps = path.split('/')
  const declared = operation.audit?.param
  const idAt = declared ? steps.indexOf(`:${declared}`) : steps.findLastIndex((step) => step.startsWith(':'))
  const param = steps[idAt]?.slice(1)
  const resourcePath = (idAt < 0 ? steps.slice(0, 3) : steps.slice(0, idAt + 1)).join('/')
  const read = findRead(declared ? resourcePath : path, resourcePath, all.filter(isPlainRead(kind)))
  const isResponse = !operation.respond && (!read || hasFieldsOf(operation, read))
  if (!isResponse && createsAnother(operation)) return { param, read: undefined, isResponse: true }
  return { param, read, isResponse }
}

/**
 * Returns the id of the resource in the path of an operation: the declared path parameter, by default the last one.
 * Null without one.
 */
export function resourceIdInPath({ path, audit }: Operation, params: unknown): string | null {
  const name =
    audit?.param ??
    path
      .split('/')
      .findLast((step) => step.startsWith(':'))
      ?.slice(1)
  const id = name && (params as Record<string, string>)[name]
  return id ? toResourceId(id) : null
}

/**
 * Returns the operation with which the store's own staff make the same change, if there is one. It changes the same
 * resource.
 */
function staffEquivalent({ path, access }: Operation, all: readonly Operation[]) {
  const staffPath = path.replace('/super-admin/stores/:id/', '/admin/')
  const exists = staffPath !== path && all.some((one) => one.path === staffPath)
  return exists ? { path: staffPath, kind: 'staff' } : { path, kind: access.kind }
}

/** Returns the read at the path itself, or else at the nearest path above it, down to the path of the resource. */
function findRead(path: string, resourcePath: string, reads: readonly Operation[]): Operation | undefined {
  let tried = path
  while (tried.length >= resourcePath.length) {
    const found = reads.find((read) => read.path === tried && (tried === path || !isList(read)))
    if (found) return found
    tried = tried.slice(0, tried.lastIndexOf('/'))
  }
  return undefined
}

/** Whether a read needs only its path and the given transaction. */
const isPlainRead =
  (kind: string) =>
  ({ access, method, transaction, query, paginated, cached }: Operation): boolean =>
    access.kind === kind && method === 'get' && transaction === 'automatic' && !query && !paginated && !cached

/**
 * Whether an operation creates a resource below or beside the one in the path. Then the entry shows the created one.
 */
const createsAnother = ({ method, returns, respond }: Operation): boolean =>
  method === 'post' && returns[0] === 201 && !respond

type Schema = TSchema & { type?: string; items?: TSchema; properties?: object }

const schemaOf = ({ returns }: Operation): Schema => returns.at(-1) as Schema

const isList = (operation: Operation): boolean => schemaOf(operation).type === 'array'

/** Whether the response has every field of the read. It may have more, such as a secret that is shown once. */
function hasFieldsOf(operation: Operation, read: Operation): boolean {
  const [expected, actual] = [fieldsOf(schemaOf(read)), fieldsOf(schemaOf(operation))]
  return isList(read) === isList(operation) && expected.every((field) => actual.includes(field))
}

const fieldsOf = ({ items, properties }: Schema): string[] =>
  Object.keys((items as Schema | undefined)?.properties ?? properties ?? {})
