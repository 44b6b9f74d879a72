import type { ErrorBody } from './types.ts'

type Details = Partial<Omit<ErrorBody, 'type' | 'message'>>

/** A response in Stripe's error format. */
export class GatewayError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** False: the request never began, so its idempotency key stays unused. */
  readonly isStored: boolean

  constructor(status: number, body: ErrorBody, isStored = true) {
    super(body.message)
    this.status = status
    this.body = body
    this.isStored = isStored
  }
}

const invalid = (status: number, message: string, details: Details = {}, isStored = false) =>
  new GatewayError(status, { type: 'invalid_request_error', message, ...details }, isStored)

export const unauthorized = (message: string) => invalid(401, message)

export const unknownUrl = (method: string, path: string) =>
  invalid(404, `Unrecognized request URL (${method}: ${path}).`)

export const missing = (kind: string, id: string, param: string, status = 404) =>
  invalid(status, `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param,
  })

export const unknownParameter = (param: string) =>
  invalid(400, `Received unknown parameter: ${param}`, {
    code: 'parameter_unknown',
    param,
  })

export const missingParameter = (param: string) =>
  invalid(400, `Missing required param: ${param}.`, {
    code: 'parameter_missing',
    param,
  })

export const invalidParameter = (param: string, message: string, code?: string) =>
  invalid(400, message, { param, ...(code ? { code } : {}) })

/** A definite refusal of a valid request: stored under its idempotency key. */
export const refused = (message: string, details: Details = {}) => invalid(400, message, details, true)

export const cardError = (message: string, details: Details) =>
  new GatewayError(402, { type: 'card_error', message, ...details })

export const keyReused = (key: string) =>
  new GatewayError(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  )

export const keyInUse = (key: string) =>
  new GatewayError(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key '${key}'. Please try again later.`,
    },
    false,
  )

export const brokenDown = () =>
  new GatewayError(
    500,
    {
      type: 'api_error',
      message: 'An unknown error occurred (a fault was asked for).',
    },
    false,
  )
