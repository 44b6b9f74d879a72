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

/** Invalid fields: 422 with a `detail` entry for each. */
export class ValidationError extends CodedError {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    super(VALIDATION_FAILED)
    this.faults = faults
  }
}

/** The error of one field that breaks a rule which a schema cannot express. `loc` is the field's path. */
export const invalid = (loc: Fault['loc'], msg: string, input?: unknown): ValidationError =>
  new ValidationError([{ loc, msg, type: 'value_error', ...(input === undefined ? {} : { input }) }])

/** The error of a field that is required in this case, though it is optional in the schema. */
export const missing = (loc: Fault['loc']): ValidationError =>
  new ValidationError([{ loc, msg: 'Field required', type: 'missing' }])
