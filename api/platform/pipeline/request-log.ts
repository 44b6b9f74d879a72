import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { accessLog, log } from '#shared/platform/log.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { CLIENT_GONE_STATUS } from './abandoned-reads.ts'
import { loggedPath } from './logged-path.ts'
import { measureRequest } from './metrics.ts'

const HSTS = 'max-age=31536000'
const SANE_ID = /^[\w.:-]{8,128}$/

/** Middleware: assigns an id to each request (the client's, if well formed), logs it and measures it. */
export async function logRequests(ctx: Context, next: Next): Promise<void> {
  const started = process.hrtime.bigint()
  const asked = ctx.get('X-Request-Id')
  const requestId = SANE_ID.test(asked) ? asked : randomUUID()
  ctx.state.requestId = requestId
  ctx.set('X-Request-Id', requestId)
  ctx.set('X-Content-Type-Options', 'nosniff')
  // Browsers obey it only over https (RFC 6797).
  if (config().PUBLIC_URL.startsWith('https:')) ctx.set('Strict-Transport-Security', HSTS)
  await next()
  const ms = Number(process.hrtime.bigint() - started) / 1e6
  const route = ctx._matchedRoute ? String(ctx._matchedRoute) : 'none'
  measureRequest({ method: ctx.method, route, status: ctx.status, ms })
  if (REFUSED.has(ctx.status) && !mayLogRefusal()) return
  const entry = {
    requestId,
    method: ctx.method,
    path: loggedPath(ctx.req.url ?? ''),
    status: ctx.status,
    ms: Math.round(ms * 10) / 10,
  }
  const { storeId, errorCode } = ctx.state
  accessLog.info(
    {
      ...entry,
      ...(storeId ? { storeId } : {}),
      ...(errorCode ? { errorCode } : {}),
    },
    'request',
  )
}

// A hundred lines show which networks are refused. A flood of these requests would fill the disk.
const REFUSALS_PER_SECOND = 100

/** The statuses of requests past a limit, and of those whose client has left. */
const REFUSED = new Set([429, CLIENT_GONE_STATUS])

let refusals = 0

/** Counts a refused request. Returns false if many were logged within this second; `endSecond` logs how many more. */
function mayLogRefusal(): boolean {
  if (refusals === 0) setTimeout(endSecond, SECOND_MS).unref()
  refusals += 1
  return refusals <= REFUSALS_PER_SECOND
}

function endSecond(): void {
  const requests = refusals - REFUSALS_PER_SECOND
  refusals = 0
  if (requests > 0)
    accessLog.warn({ requests }, 'more refused requests, past their limits or left by their clients')
}

const CLIENT_LEFT = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Logs an error that Koa emits after the response was started. A disconnected client is no fault of the service. */
export function logLateError(error: NodeJS.ErrnoException, ctx?: Context): void {
  const { requestId } = ctx?.state ?? {}
  if (CLIENT_LEFT.has(error.code ?? ''))
    log.debug({ requestId }, 'client left before the end of its response')
  else log.error({ err: error, requestId }, 'response failed')
}
