import type { Static, TSchema } from 'typebox'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { declareAction } from '../audit/hidden-actions.ts'
import type { Access } from '../auth/access.ts'
import type { Operation } from '../operation/operation.ts'
import type { RequestInfo } from '../operation/request-info.ts'
import type { UnitOfWork } from '../operation/unit-of-work.ts'
import { limits } from '../rate-limits/limits.ts'

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** The argument of a handler: the context of its access (store, transaction, caller) and the checked request. */
export type Call<C, P, Q, B> = C & {
  params: Shape<P>
  query: Shape<Q>
  body: Shape<B>
  request: RequestInfo
}

type Optional =
  | 'accepts'
  | 'rawBody'
  | 'bodyLimit'
  | 'transaction'
  | 'idempotency'
  | 'limits'
  | 'paginated'
  | 'cached'
  | 'errors'

/** A handler with manual transactions gets a `unitOfWork` in place of a transaction. */
type HandlerContext<C, T> = T extends 'manual' ? Omit<C, 'tx'> & { unitOfWork: UnitOfWork } : C

interface Declaration<C, P, Q, B, O, T>
  extends Omit<Operation, Optional | 'access' | 'params' | 'query' | 'body' | 'handle' | 'csv' | 'respond'>,
    Partial<Pick<Operation, Optional>> {
  access: Access<C>
  transaction?: T & Operation['transaction']
  params?: P
  query?: Q
  body?: B
  /**
   * Does the operation and returns its data or a `Reply`. With a store access it runs inside that store's
   * transaction, which commits when the handler returns (unless `transaction` is `manual`).
   */
  handle(call: Call<HandlerContext<C, T>, P, Q, B>): Promise<O>
  /**
   * The whole list as a CSV file, without regard to `page`, `page_size` and `sort`. Its rows open their own
   * transactions.
   */
  csv?(call: Call<HandlerContext<C, T>, P, Q, B>): Promise<CsvFile>
  /**
   * Makes the response of an operation that a worker completes. It runs after the commit with the outcome of `handle`
   * (as JSON), waits for the worker, and may run again when the request is repeated: it must change nothing.
   */
  respond?(call: Omit<Call<C, P, Q, B>, 'tx'>, outcome: O): Promise<unknown>
}

const KIB = 1024

/** The largest body in bytes, by what the caller must prove before it is read. */
const BODY_LIMITS: Record<Access['kind'], number> = {
  open: 16 * KIB,
  storefront: 16 * KIB,
  guest: 100 * KIB,
  customer: 100 * KIB,
  account: 100 * KIB,
  staff: 1024 * KIB,
  super_admin: 1024 * KIB,
}

// Idempotency keys are stored among the rows of a store.
const isInStore = ({ kind, ofStore }: Access): boolean =>
  kind !== 'open' && (kind !== 'super_admin' || ofStore === true)

/**
 * Declares an operation and fills in its defaults. Every operation is declared here or by `Resource`. Body limits: 100
 * KB on the storefront, 1 MB in the admin, 16 KB where nobody signs in.
 */
export function endpoint<
  C,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  O,
  T extends Operation['transaction'] = 'automatic',
>(declaration: Declaration<C, P, Q, B, O, T>): Operation {
  if (declaration.audit) declareAction(declaration.audit.action, declaration.access.rights)
  const takesKey = declaration.method === 'post' || declaration.method === 'patch'
  return {
    accepts: 'application/json',
    rawBody: false,
    bodyLimit: BODY_LIMITS[declaration.access.kind],
    limits: [/staff|super_admin/.test(declaration.access.kind) ? limits.admin : limits.api],
    idempotency: takesKey && isInStore(declaration.access) ? 'optional' : 'none',
    transaction: 'automatic',
    paginated: false,
    cached: false,
    errors: [],
    ...(declaration as Omit<typeof declaration, 'handle' | 'csv' | 'respond'>),
    handle: declaration.handle as Operation['handle'],
    ...(declaration.csv ? { csv: declaration.csv as Operation['csv'] } : {}),
    ...(declaration.respond ? { respond: declaration.respond as Operation['respond'] } : {}),
  } as Operation
}
