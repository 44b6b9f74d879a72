import type { Context, Next } from 'koa'
import { RequestErrors } from '#api/platform/errors.ts'
import { faultsInRequest } from '#api/platform/input/request-part.ts'
import { TooMuchData } from '#shared/platform/db/limit-read.ts'
import { DISK_FULL, sqlState } from '#shared/platform/db/sql-error.ts'
import { noteFullDisk } from '#shared/platform/db/storage-check.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { log } from '#shared/platform/log.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { send } from './reply.ts'

/**
 * Middleware: converts a thrown error to the error envelope. A coded error has its own status. Any other error is 500
 * or 503.
 */
export async function answerErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
  } catch (thrown) {
    sendError(ctx, thrown instanceof CodedError ? thrown : translate(ctx, thrown))
  }
}

/** Returns the JSON envelope of an error. */
export function errorEnvelope(error: CodedError): string {
  const body = {
    data: null,
    meta: null,
    error: error.message,
    error_code: error.code,
  }
  return JSON.stringify(error instanceof ValidationError ? { ...body, detail: faultsInRequest(error) } : body)
}

function sendError(ctx: Context, error: CodedError): void {
  const { allow, retryAfter, closes } = error.details
  ctx.remove('ETag')
  ctx.remove('Cache-Control')
  if (allow) ctx.set('Allow', allow)
  if (closes) ctx.set('Connection', 'close')
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
  if (error.status === 401) ctx.set('WWW-Authenticate', challengeFor(ctx))
  ctx.state.errorCode = error.code
  send(ctx, error.status, errorEnvelope(error))
}

/** Returns the WWW-Authenticate challenge that every 401 needs (RFC 9110, section 15.5.2; RFC 6750, section 3). */
const challengeFor = (ctx: Context): string =>
  ctx.get('Authorization') ? 'Bearer error="invalid_token"' : 'Bearer'

function translate(ctx: Context, thrown: unknown): CodedError {
  if (thrown instanceof TooMuchData) return thrown.error
  if (isDatabaseUnavailable(thrown)) {
    if (sqlState(thrown ?? {}) === DISK_FULL) noteFullDisk()
    log.warn({ err: thrown, requestId: ctx.state.requestId }, 'database unavailable')
    return CommonErrors.unavailable({ retryAfter: 2 })
  }
  log.error({ err: thrown, requestId: ctx.state.requestId }, 'request failed')
  return RequestErrors.internal({ requestId: ctx.state.requestId })
}

// Class 08 and 57P: connection lost or server stopping. 53100: disk full. 53300: no connection left. 57014, 55P03 and
// 25P03: a time-out of a statement, of a lock, or between statements. 40P01: a deadlock at each attempt. The others are
// Node's.
const UNAVAILABLE =
  /^(08\w{3}|57P0[1-5]|53100|53300|57014|55P03|25P03|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|KnexTimeoutError)$/
const UNAVAILABLE_MESSAGE =
  /Connection terminated|connection is closed|Client has encountered a connection error|Client was closed|timeout expired|pool is draining/i

function isDatabaseUnavailable(thrown: unknown): boolean {
  const { name = '', message = '' } = (thrown ?? {}) as { name?: string; message?: string }
  const code = sqlState(thrown ?? {}) ?? ''
  return UNAVAILABLE.test(code) || UNAVAILABLE.test(name) || UNAVAILABLE_MESSAGE.test(message)
}
