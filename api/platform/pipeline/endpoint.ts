import type { Static, TSchema } from 'typebox'
import { declareAction } from '#api/platform/audit/hidden-actions.ts'
import type { Access } from '#api/platform/auth/access.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** The argument of a handler: the context of its access (store, transaction, caller) and the checked request. */
export type Call<C, P, Q, B> = C & {
  params: Shape<P>
  query: Shape<Q>
  body: Shape<B>
  request: RequestInfo
  /** The `If-Match` header: the `ETag` on which a change is based. */
  ifMatch: string | undefined
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

/** A handler with manual transactions gets a `unitOfWork` instead of a transaction. */
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
   * Runs the operation and returns its data or a `Reply`. With access to a store it runs inside the store's
   * transaction, which commits when the handler returns (unless `transaction` is `manual`).
   */
  handle(call: Call<HandlerContext<C, T>, P, Q, B>): Promise<O>
  /**
   * Returns the whole list as a CSV file; `page`, `page_size` and `sort` are ignored. Reading its rows opens separate
   * transactions.
   */
  csv?(call: Call<HandlerContext<C, T>, P, Q, B>): Promise<CsvFile>
  /**
   * Creates the response of an operation that a worker completes. It runs after the commit with the outcome of `handle`
   * (as JSON) and waits for the worker. It must change nothing, because it runs again if the request is repeated.
   */
  respond?(call: Omit<Call<C, P, Q, B>, 'tx'>, outcome: O): Promise<unknown>
}

const KIB = 1024

/** The largest body in bytes, by the access that is checked before the body is read. */
const BODY_LIMITS: Record<Access['kind'], number> = {
  open: 16 * KIB,
  storefront: 16 * KIB,
  guest: 100 * KIB,
  customer: 100 * KIB,
  account: 100 * KIB,
  staff: 1024 * KIB,
  super_admin: 1024 * KIB,
}

// Whether the operation is in a store. Idempotency keys are rows of a store.
const isInStore = ({ kind, ofStore }: Access): boolean =>
  kind !== 'open' && (kind !== 'super_admin' || ofStore === true)

/** Declares an operation and fills in its defaults. Every operation is declared here or by `Resource`. */
export function endpoint<
  C,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  O,
  T extends Operation['transaction'] = 'automatic',
>(declaration: Declaration<C, P, Q, B, O, T>): Operation {
  if (declaration.audit) declareAction(declaration.audit, declaration.access.rights)
  const { errors = [] } = declaration
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
    ...(declaration as Omit<typeof declaration, 'handle' | 'csv' | 'respond'>),
    errors: declaration.recentSignIn ? [...errors, AuthErrors.reauthenticationRequired] : errors,
    handle: declaration.handle as Operation['handle'],
    ...(declaration.csv ? { csv: declaration.csv as Operation['csv'] } : {}),
    ...(declaration.respond ? { respond: declaration.respond as Operation['respond'] } : {}),
  } as Operation
}
