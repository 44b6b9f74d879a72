/** A kind of expected failure. Clients rely on its code and HTTP status. */
export interface ErrorKind {
  code: string
  status: number
  message: string | ((details: Record<string, unknown>) => string)
}

/** An expected failure. A bug is a plain `Error` and becomes 500 `server.internal`. */
export class CodedError extends Error {
  readonly code: string
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(kind: ErrorKind, details: Record<string, unknown> = {}) {
    super(typeof kind.message === 'function' ? kind.message(details) : kind.message)
    this.name = 'CodedError'
    this.code = kind.code
    this.status = kind.status
    this.details = details
  }
}

/** Makes errors of one kind. It carries the kind, so that an endpoint can list it. */
export type ErrorFactory = ((details?: Record<string, unknown>) => CodedError) & { kind: ErrorKind }

const declared: ErrorFactory[] = []

/** Declares a domain's errors: `OrderErrors.notPayable()` makes one, `OrderErrors.notPayable.kind` describes it. */
export function defineErrors<const K extends Record<string, ErrorKind>>(
  kinds: K,
): { [Name in keyof K]: ErrorFactory } {
  const factories = {} as { [Name in keyof K]: ErrorFactory }
  for (const name of Object.keys(kinds) as (keyof K)[]) {
    const kind = kinds[name] as ErrorKind
    const factory = Object.assign((details?: Record<string, unknown>) => new CodedError(kind, details), {
      kind,
    })
    declared.push(factory)
    factories[name] = factory
  }
  return factories
}

/** An error that is declared already, with advice of its own: the code and the status stay. */
export const withAdvice = ({ kind }: ErrorFactory, message: ErrorKind['message']): ErrorKind => ({
  ...kind,
  message,
})

/** The errors that all loaded modules declare. */
export const declaredErrors = (): readonly ErrorFactory[] => declared

/** Errors of more than one domain. */
export const CommonErrors = defineErrors({
  notFound: {
    code: 'resource.not_found',
    status: 404,
    message: 'There is no such resource in this store. Check the identifier.',
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
      `The response would hold more than ${limit} bytes of data. Ask for fewer items at once by a smaller page_size or limit, or narrow them by filters.`,
  },
  rateLimited: {
    code: 'rate_limit.exceeded',
    status: 429,
    message: 'Too many requests at once. Wait for the seconds that Retry-After names, then try again.',
  },
  unavailable: {
    code: 'server.unavailable',
    status: 503,
    message: 'The service cannot reach its database or is shutting down. Try again in a few seconds.',
  },
})
