import { type Fault, invalid, ValidationError } from '#shared/platform/validation.ts'

/** The part of a request that a value is from: the first step of a fault's `loc`. */
export type RequestPart = 'path' | 'query' | 'body'

/** Faults whose `loc` already begins with the part of the request. */
export class RequestValidationError extends ValidationError {}

/** Puts the part of the request before the fields that faults name. */
export const inPart = (part: RequestPart, faults: readonly Fault[]): Fault[] =>
  faults.map(({ loc, ...fault }) => ({ loc: [part, ...loc], ...fault }))

/** Runs a check of query parameters, which may be asynchronous: its faults name the query, not the body. */
export function inQuery<T>(check: () => T): T {
  try {
    const result = check()
    return result instanceof Promise ? (result.catch(rethrowInQuery) as T) : result
  } catch (error) {
    return rethrowInQuery(error)
  }
}

function rethrowInQuery(error: unknown): never {
  if (error instanceof ValidationError) throw new RequestValidationError(inPart('query', error.faults))
  throw error
}

/** The error of one query parameter that breaks a rule which a schema cannot express. */
export const invalidQuery = (parameter: string, msg: string, input?: unknown): RequestValidationError =>
  new RequestValidationError(inPart('query', invalid([parameter], msg, input).faults))

/** The faults as the response shows them. Fields that a domain names are those of the body. */
export const faultsInRequest = (error: ValidationError): Fault[] =>
  error instanceof RequestValidationError ? error.faults : inPart('body', error.faults)
