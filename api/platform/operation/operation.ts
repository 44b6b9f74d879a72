import type { TSchema } from 'typebox'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { Access } from '../auth/access.ts'
import type { ChallengeRule } from '../challenge/challenge-rule.ts'
import type { Limit } from '../rate-limits/limits.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One API operation: all that mounting, the API description and the tests need to know of it. */
export interface Operation {
  method: Method
  /** Below `/api/v1`, in the router's notation: `/orders/:orderId`. */
  path: string
  access: Access
  /**
   * The names of the change in the audit log. Staff and super-admins search old entries by them, so they stay as they
   * are when the path changes. Changes by customers have none, and reads have one if they show personal data: see
   * `auditRead`.
   */
  audit?: {
    action: string
    resource: string
    /** The path parameter with the id of the resource. Default: the last one. */
    param?: string
    /** The change erases personal data: its entry says that it was made, without the resource before and after. */
    erases?: true
    /** A read that is always logged. */
    isExport?: true
  }
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** Media type of the body. The handler gets any type but JSON as `request.stream`. */
  accepts: string
  /** Other media types of the same body. */
  alsoAccepts?: readonly string[]
  /** The handler gets the body as `request.stream`, byte for byte, because its signature covers the bytes. */
  rawBody: boolean
  /** Largest body in bytes. */
  bodyLimit: number
  /**
   * `automatic`: the handler runs inside one transaction of its store. `manual`: it opens its own by `unitOfWork`,
   * because it waits for something slow (a stream, a password hash, another system) before it changes anything.
   */
  transaction: 'automatic' | 'manual'
  /** `required`: a request without an Idempotency-Key is refused. `none`: the operation is safe to repeat. */
  idempotency: 'required' | 'optional' | 'none'
  /** Rate limits. The default is the general limit of the operation's audience; an empty list means no limit. */
  limits: readonly Limit[]
  /** When a caller must solve a challenge, where the operator has set one up. Default: never. */
  challenge?: ChallengeRule
  /** The statuses of success, then the schema of `data`. */
  returns: readonly [...statuses: number[], data: TSchema]
  /** The response is a list with PaginationMeta. */
  paginated: boolean
  /** The response is cached per store and catalog version, and carries ETag and Cache-Control. */
  cached: boolean
  errors: readonly ErrorFactory[]
  /** The example request body and `data` of the API description. */
  example: { body?: unknown; data: unknown }
  handle(call: never): Promise<unknown>
  /** The whole list as a CSV file, for requests whose Accept header prefers `text/csv`. */
  csv?(call: never): Promise<CsvFile>
  respond?(call: never, outcome: never): Promise<unknown>
  /**
   * Revises the data of a stored response before it is sent again: a secret in it may have lost its use. It reads only.
   */
  replay?(tx: StoreTx, data: never): Promise<unknown>
}
