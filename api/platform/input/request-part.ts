import { type Fault, invalid, ValidationError } from '#shared/platform/validation.ts'

/** The part of a request that contains a value. It is the first step of a fault's `loc`. */
export type RequestPart = 'path' | 'query' | 'body'

/** The error of faults whose `loc` already starts with the part of the request. */
export class RequestValidationError extends ValidationError {}

/** Puts the part of the request before the fields that faults name. */
export const inPart = (part: RequestPart, faults: readonly Fault[]): Fault[] =>
  faults.map(({ loc, ...fault }) => ({ loc: [part, ...loc], ...fault }))

/** Runs a check of query parameters, which may be asynchronous. Its faults name the query instead of the body. */
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

/** Returns the error of one query parameter that breaks a rule that no schema expresses. */
export const invalidQuery = (parameter: string, msg: string, input?: unknown): RequestValidationError =>
  new RequestValidationError(inPart('query', invalid([parameter], msg, input).faults))

/** Returns the faults as the response shows them. Fields in errors of domains are fields of the body. */
export const faultsInRequest = (error: ValidationError): Fault[] =>
  error instanceof RequestValidationError ? error.faults : inPart('body', error.faults)
