/**
 * The text of an error, or a function that makes it of the details that it destructures. The function has a method's
 * type, because only that allows it to take less than `unknown`.
 */
type Message = string | { from(details: unknown): string }['from']

/** A kind of expected failure. Clients rely on its code and HTTP status. */
export interface ErrorKind<M extends Message = Message> {
  code: string
  status: number
  message: M
}

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
    super(typeof kind.message === 'function' ? kind.message(details) : kind.message)
    this.name = 'CodedError'
    this.code = kind.code
    this.status = kind.status
    this.details = details
  }
}

/** The names of the details that a message is made of: those that its function destructures. */
type DetailNames<M extends Message> = M extends (details: infer Details) => string ? keyof Details : never

/**
 * Creates errors of one kind, with the details that its message names. It has the kind as a property, so that endpoints
 * can list it.
 */
export interface ErrorFactory<Names extends PropertyKey = never> {
  (details?: HeaderDetails & { [Name in Names]?: unknown }): CodedError
  kind: ErrorKind
}

const declared: ErrorFactory[] = []

/** Declares a domain's errors: `OrderErrors.notPayable()` makes one, `OrderErrors.notPayable.kind` describes it. */
export function defineErrors<const K extends Record<string, ErrorKind>>(
  kinds: K,
): { [Name in keyof K]: ErrorFactory<DetailNames<K[Name]['message']>> } {
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

/** Returns a declared kind of error with other advice. Code and status stay. */
export const withAdvice = <M extends Message>({ kind }: ErrorFactory, message: M): ErrorKind<M> => ({
  ...kind,
  message,
})

/** Returns the errors that all loaded modules declare. */
export const declaredErrors = (): readonly ErrorFactory[] => declared

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
    message: ({ limit = '<limit>' }) =>
      `The response would hold more than ${limit} bytes of data. Request fewer items by a smaller page_size or ` +
      'limit, a shorter period (created_from, created_to) or other filters.',
  },
  tooMuchData: {
    code: 'request.too_much_data',
    status: 422,
    message: ({ limit = '<limit>' }) =>
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
