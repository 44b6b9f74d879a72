/** The text of an error, or a function that makes it of the details whose types it states. */
type Message = string | ((details: never) => string)

/** A kind of expected failure. Clients rely on its code and HTTP status. */
export interface ErrorKind<M extends Message = Message> {
  code: string
  status: number
  message: M
}

/** Returns the text of an error. The caller knows that the details are those of its kind. */
const messageOf = ({ message }: ErrorKind, details: object): string =>
  typeof message === 'function' ? message(details as never) : message

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => `<${String(name)}>` })

/** Returns the text of an error with a placeholder such as `<limit>` for each detail, also for a list. */
export const describeMessage = (kind: ErrorKind): string => messageOf(kind, PLACEHOLDERS)

/** The details that become headers of the response. Every error can have them. */
interface HeaderDetails {
  allow?: string
  /** In seconds. */
  retryAfter?: number
  /** Whether the response closes its connection. */
  closes?: boolean
}

/** An expected failure. A bug is a plain `Error` and becomes 500 `server.internal`. */
export class CodedError extends Error {
  readonly code: string
  readonly status: number
  readonly details: HeaderDetails

  constructor(kind: ErrorKind, details: HeaderDetails = {}) {
    super(messageOf(kind, details))
    this.name = 'CodedError'
    this.code = kind.code
    this.status = kind.status
    this.details = details
  }
}

/**
 * Whether an error refuses work for what was asked or for the state of its records, so that a repeat would fail too.
 * 429 and 5xx only say that the service is busy.
 */
export const isRefusal = (error: unknown): error is CodedError =>
  error instanceof CodedError && error.status < 500 && error.status !== 429

type NoDetails = Record<never, never>

/** The details that a message is made of. */
type DetailsOf<M extends Message> = M extends (details: infer Details) => string ? Details : NoDetails

/** Details that come together or not at all. */
export type AllOrNone<Details> = Details | { [Name in keyof Details]?: undefined }

/** One of two sets of details. */
export type OneOf<A, B> =
  | (A & { [Name in Exclude<keyof B, keyof A>]?: undefined })
  | (B & { [Name in Exclude<keyof A, keyof B>]?: undefined })

/** An error that endpoints can list. */
export interface DeclaredError {
  kind: ErrorKind
}

/**
 * Creates errors of one kind, with the details that its message states. They may be left out if each of them is
 * optional.
 */
export interface ErrorFactory<Details = NoDetails> extends DeclaredError {
  (
    ...given: NoDetails extends Details
      ? [details?: HeaderDetails & Details]
      : [details: HeaderDetails & Details]
  ): CodedError
}

const declared: DeclaredError[] = []

/**
 * Declares a domain's errors: `WebhookErrors.limitReached({ limit })` makes one, and `WebhookErrors.limitReached.kind`
 * describes it.
 */
export function defineErrors<const K extends Record<string, ErrorKind>>(
  kinds: K,
): { [Name in keyof K]: ErrorFactory<DetailsOf<K[Name]['message']>> } {
  const factories = {} as Record<keyof K, ErrorFactory>
  for (const name of Object.keys(kinds) as (keyof K)[]) {
    const kind = kinds[name] as ErrorKind
    const factory = Object.assign((details?: HeaderDetails) => new CodedError(kind, details), {
      kind,
    })
    declared.push(factory)
    factories[name] = factory
  }
  return factories as ReturnType<typeof defineErrors<K>>
}

/** Returns a declared kind of error with another message. Code and status stay. */
export const withAdvice = <M extends Message>({ kind }: DeclaredError, message: M): ErrorKind<M> => ({
  ...kind,
  message,
})

/** Returns the errors that all loaded modules declare. */
export const declaredErrors = (): readonly DeclaredError[] => declared

/** Errors of more than one domain. */
export const CommonErrors = defineErrors({
  notFound: {
    code: 'resource.not_found',
    status: 404,
    message: 'This store does not have this resource. Check the identifier.',
  },
  changed: {
    code: 'resource.changed',
    status: 412,
    message:
      'The resource changed since you read it. Read it again, then repeat the change with its new ETag.',
  },
  responseTooLarge: {
    code: 'response.too_large',
    status: 422,
    message: ({ limit }: { limit: number }) =>
      `The response would hold more than ${limit} bytes of data. Request fewer items by a smaller page_size or ` +
      'limit, a shorter period (created_from, created_to) or other filters.',
  },
  tooMuchData: {
    code: 'request.too_much_data',
    status: 422,
    message: ({ limit }: { limit: number }) =>
      `The request would load more than ${limit} bytes of stored data. Repeat it with fewer or smaller items.`,
  },
  rateLimitExceeded: {
    code: 'rate_limit.exceeded',
    status: 429,
    message: 'Too many requests. Try again after the seconds in Retry-After.',
  },
  unavailable: {
    code: 'server.unavailable',
    status: 503,
    message: 'The service cannot reach its database or is shutting down. Try again in a few seconds.',
  },
})

/** Returns a row. Throws `resource.not_found` if there is none. */
export function assertFound<Row>(row: Row | null | undefined): Row {
  if (row === undefined || row === null) throw CommonErrors.notFound()
  return row
}
