import type { IncomingMessage } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { Access } from '../auth/access.ts'
import { type Limit, limits } from '../rate-limits/limits.ts'
import type { UnitOfWork } from './unit-of-work.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What every handler may look at besides its own parameters. */
export interface RequestInfo {
  id: string
  ip: string
  userAgent: string
  /** Scheme and host that the caller used, as the request or a trusted proxy says: never more than a claim. */
  base: string
  /** The store's language that suits the caller best (Accept-Language, else the store's default). */
  language: string
  headers: IncomingMessage['headers']
  /** The body as it arrives, for operations that take a stream. */
  stream: IncomingMessage
  /** The version of the store's catalog when the request came in; '' without a store. */
  catalogVersion: string
}

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** What a handler is given: what its access brings (store, transaction, who calls) and the checked request. */
export type Call<C, P, Q, B> = C & {
  params: Shape<P>
  query: Shape<Q>
  body: Shape<B>
  request: RequestInfo
}

/** An operation: everything about it that mounting, the API description and the tests need. */
export interface Operation {
  method: Method
  /** Below `/api/v1`, in the router's notation: `/orders/:orderId`. */
  path: string
  access: Access
  /**
   * The names of the change in the audit log. Staff and super-admins read and search old entries by them, so they stay
   * as they are when the path changes. Reads and changes by customers have none.
   */
  audit?: { action: string; resource: string }
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** Media type of the body. Any but JSON is handed to the handler as `request.stream`. */
  accepts: string
  /** The body is handed over as `request.stream`, byte for byte, whatever its type: its signature is over the bytes. */
  rawBody: boolean
  /** Largest body in bytes. */
  bodyLimit: number
  /**
   * `given`: the handler runs inside one transaction of its store. `own`: it gets none and opens its own, because it
   * waits for its caller meanwhile, as one that takes a stream does.
   */
  transaction: 'automatic' | 'manual'
  /** `required`: refused without an Idempotency-Key. `none`: the operation is repeatable as it is. */
  idempotency: 'required' | 'optional' | 'none'
  /** How often it may be called: as often as its audience may call anything, unless told. None: without end. */
  limits: readonly Limit[]
  /** The statuses of success, and the schema of `data`. */
  returns: readonly [...statuses: number[], data: TSchema]
  /** A list with PaginationMeta. */
  paginated: boolean
  /** Answers are kept per store and catalog version, and carry ETag and Cache-Control. */
  cached: boolean
  errors: readonly ErrorFactory[]
  /** What the description shows as a request body and as `data`. */
  example: { body?: unknown; data: unknown }
  handle(call: never): Promise<unknown>
  respond?(call: never, outcome: never): Promise<unknown>
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

/** With its own transactions, a handler makes the change that it is called for in the one that `change` opens. */
type HandlerContext<C, T> = T extends 'manual' ? Omit<C, 'tx'> & { unitOfWork: UnitOfWork } : C

interface Declaration<C, P, Q, B, O, T>
  extends Omit<Operation, Optional | 'access' | 'params' | 'query' | 'body' | 'handle' | 'answer'>,
    Partial<Pick<Operation, Optional>> {
  access: Access<C>
  transaction?: T & Operation['transaction']
  params?: P
  query?: Q
  body?: B
  /**
   * Does the operation and returns its data or a `Reply`. With a store access it runs inside that store's
   * transaction, which commits when it returns (unless `transaction` says otherwise).
   */
  handle(call: Call<HandlerContext<C, T>, P, Q, B>): Promise<O>
  /**
   * For work that a worker finishes: runs after the commit, given what `handle` returned (as JSON), waits and makes
   * the answer. A repeated request runs it again with the same outcome, so it must change nothing.
   */
  respond?(call: Omit<Call<C, P, Q, B>, 'tx'>, outcome: O): Promise<unknown>
}

const STOREFRONT_LIMIT = 100 * 1024
const ADMIN_LIMIT = 1024 * 1024
const STAFF_PATH = /^\/(super-)?admin\//

// Keys are kept beside the rows of a store.
const isInStore = ({ kind, ofStore }: Access): boolean =>
  kind !== 'open' && (kind !== 'super_admin' || ofStore === true)

/** Declares an operation: the one way to. Body limits: 100 KB on the storefront, 1 MB in the admin (decisions, 1). */
export function endpoint<
  C,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  O,
  T extends Operation['transaction'] = 'automatic',
>(declaration: Declaration<C, P, Q, B, O, T>): Operation {
  const changes = declaration.method === 'post' || declaration.method === 'patch'
  return {
    accepts: 'application/json',
    rawBody: false,
    bodyLimit: STAFF_PATH.test(declaration.path) ? ADMIN_LIMIT : STOREFRONT_LIMIT,
    limits: [/staff|super_admin/.test(declaration.access.kind) ? limits.admin : limits.api],
    idempotency: changes && isInStore(declaration.access) ? 'optional' : 'none',
    transaction: 'automatic',
    paginated: false,
    cached: false,
    errors: [],
    ...(declaration as Omit<typeof declaration, 'handle' | 'answer'>),
    handle: declaration.handle as Operation['handle'],
    ...(declaration.respond ? { respond: declaration.respond as Operation['respond'] } : {}),
  } as Operation
}
