import type { TSchema } from 'typebox'
import type { Access } from '#api/platform/auth/access.ts'
import type { RecentSignIn } from '#api/platform/auth/assert-recent-sign-in.ts'
import type { ChallengeRule } from '#api/platform/challenge/challenge-rule.ts'
import type { Limit } from '#api/platform/rate-limits/limits.ts'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { DeclaredError } from '#shared/platform/errors.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One API operation, with everything that routing, the API description and the tests need. */
export interface Operation {
  method: Method
  /** The path below `/api/v1`, in the router's notation: `/orders/:order_id`. */
  path: string
  access: Access
  /**
   * The names of the change in the audit log. Staff and super-admins search old entries by them, so they stay even if
   * the path changes. Changes by customers have none. Reads have them only if they show personal data (see
   * `auditRead`).
   */
  audit?: {
    action: string
    resource: string
    /** The path parameter with the id of the resource. Default: the last one. */
    param?: string
    /** Whether the change erases personal data. Then its entry does not contain the resource before and after. */
    erases?: true
    /** Whether every such read is logged. */
    isExport?: true
  }
  /**
   * Requires staff and super-admins to have signed in within the last hour, because the change outlasts the session,
   * which may be stolen. Names of fields limit this to bodies that contain one of them. It refuses support sessions,
   * and does not concern API tokens.
   */
  recentSignIn?: RecentSignIn
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The media type of the body. The handler gets any type but JSON as `request.stream`. */
  accepts: string
  /** Other media types of the same body. */
  alsoAccepts?: readonly string[]
  /** Whether the handler gets the unparsed body as `request.stream`, because a signature covers its bytes. */
  rawBody: boolean
  /** The largest body in bytes. */
  bodyLimit: number
  /**
   * `automatic`: the handler runs inside one transaction of its store. `manual`: the handler opens a transaction by
   * `unitOfWork`, because it first waits for something slow (a stream, a password hash, another system).
   */
  transaction: 'automatic' | 'manual'
  /** `required`: a request without an Idempotency-Key is refused. `none`: the operation is safe to repeat. */
  idempotency: 'required' | 'optional' | 'none'
  /** Rate limits. The default is the general limit of the operation's audience; an empty list means no limit. */
  limits: readonly Limit[]
  /** Whether a caller must solve a challenge, if the operator has set one up. Default: never. */
  challenge?: ChallengeRule
  /** The success statuses, then the schema of `data`. */
  returns: readonly [...statuses: number[], data: TSchema]
  /** Whether the response is a list with PaginationMeta. */
  paginated: boolean
  /** Whether the response is cached by store and catalog version, with ETag and Cache-Control. */
  cached: boolean
  errors: readonly DeclaredError[]
  /** The example request body and `data` of the API description. */
  example: { body?: unknown; data: unknown }
  handle(call: never): Promise<unknown>
  /** Returns the whole list as a CSV file, for requests whose Accept header prefers `text/csv`. */
  csv?(call: never): Promise<CsvFile>
  respond?(call: never, outcome: never): Promise<unknown>
  /**
   * Revises the data of a stored response before it is sent again, e.g. removes a secret that is no longer valid. It
   * only reads.
   */
  replay?(tx: StoreTx, data: never): Promise<unknown>
}
