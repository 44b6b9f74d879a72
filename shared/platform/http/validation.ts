import { CodedError, type ErrorKind } from '../errors.ts'

/** One fault of a request, in Pydantic 2's vocabulary (interface document, section 1). */
export interface Fault {
  loc: (string | number)[]
  msg: string
  type: string
  input?: unknown
  ctx?: Record<string, unknown>
}

export const VALIDATION_FAILED: ErrorKind = {
  code: 'validation.failed',
  status: 422,
  message: 'The request is not valid. See `detail` for each fault and where it is.',
}

/** A request that does not fit its description: 422 with a `detail` entry for each fault. */
export class ValidationError extends CodedError {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    super(VALIDATION_FAILED)
    this.faults = faults
  }
}

/** Refuses one value for a reason that a schema cannot express; `loc` starts with path, query, header or body. */
export const invalid = (loc: Fault['loc'], msg: string, input?: unknown): ValidationError =>
  new ValidationError([
    {
      loc,
      msg,
      type: 'value_error',
      ...(input === undefined ? {} : { input }),
    },
  ])

/** Refuses a request for what a schema could not say that it needs. */
export const missing = (loc: Fault['loc']): ValidationError =>
  new ValidationError([{ loc, msg: 'Field required', type: 'missing' }])
