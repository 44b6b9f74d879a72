/** One kind of expected failure: what a client can rely on. `status` is the HTTP status it is answered with. */
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

/** Makes the error of one kind; carries the kind, so that an endpoint can list what it raises. */
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

/** Every error declared by the modules loaded so far. */
export const declaredErrors = (): readonly ErrorFactory[] => declared

/** Errors that belong to no one domain. */
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
