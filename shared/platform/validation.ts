import { CodedError, type ErrorKind } from './errors.ts'

/** One invalid field, in Pydantic 2's vocabulary. */
export interface Fault {
  /** The path of the field: `['items', 0, 'quantity']`. The API puts the part of the request before it. */
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

/** The error of invalid fields: 422 with a `detail` entry for each. */
export class ValidationError extends CodedError {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    super(VALIDATION_FAILED)
    this.faults = faults
  }
}

/** Returns the error of one field that breaks a rule that no schema expresses. `loc` is the field's path. */
export const invalid = (loc: Fault['loc'], msg: string, input?: unknown): ValidationError =>
  new ValidationError([{ loc, msg, type: 'value_error', ...(input === undefined ? {} : { input }) }])

/** The advice for a period that ends before it starts. */
export const ENDS_TOO_EARLY = 'Set an end after the start'

/** Throws 422 for an end that is not after the start. `loc` is the path of the end. */
export function assertEndsAfter(loc: Fault['loc'], start: Date | null, end: Date | null): void {
  if (start && end && end <= start) throw invalid(loc, ENDS_TOO_EARLY, end.toISOString())
}

/** Returns the error of a missing field that is required only in this case. */
export const missing = (loc: Fault['loc']): ValidationError =>
  new ValidationError([{ loc, msg: 'Field required', type: 'missing' }])
