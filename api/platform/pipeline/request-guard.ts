import type { Context, Next } from 'koa'
import { RequestErrors } from '#api/platform/errors.ts'
import { rejectUnstorable } from '#api/platform/input/text.ts'
import { config } from '#shared/platform/config/config.ts'

/** The headers that decide on caller, store or body. If one is repeated, two readers of the request could disagree. */
const SINGLE = new Set([
  'host',
  'authorization',
  'x-service-key',
  'x-cart-token',
  'idempotency-key',
  'content-type',
  'content-length',
  'origin',
  'x-forwarded-host',
])

/**
 * Middleware: removes X-Forwarded-Host, which names the store, unless the operator has configured that the proxy sets
 * it.
 */
export function ignoreForwardedHost(ctx: Context, next: Next): Promise<void> {
  if (!config().TRUST_FORWARDED_HOST) delete ctx.req.headers['x-forwarded-host']
  return next()
}

/** Middleware: refuses ambiguous requests before anything reads them. */
export function guardRequest(ctx: Context, next: Next): Promise<void> {
  const { rawHeaders } = ctx.req
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) throw RequestErrors.malformed({ why: `the header ${name} is sent twice` })
    seen.add(name)
  }
  if (!seen.has('host') && ctx.req.httpVersion !== '1.0')
    throw RequestErrors.malformed({ why: 'the Host header is missing' })
  assertHosts(ctx)
  if (!ctx.req.url?.startsWith('/'))
    throw RequestErrors.malformed({
      why: 'the address must begin with a slash',
    })
  rejectUnstorable(decodedPath(ctx), 'the address')
  return next()
}

// A name or address with an optional port (RFC 9110, section 7.2). A cache in front of the service could read anything
// else, e.g. a list or a user name, as another host.
const HOST = /^([\w.~-]+|\[[\da-f:.]+\])?(:\d{0,5})?$/i

function assertHosts(ctx: Context): void {
  const { TRUST_FORWARDED_HOST, PROXY_HOPS } = config()
  const forwarded = TRUST_FORWARDED_HOST ? ctx.get('X-Forwarded-Host').split(',') : []
  // Some proxies append their host to the header, so the caller could have forged the first one.
  if (forwarded.length > PROXY_HOPS)
    throw RequestErrors.malformed({ why: 'X-Forwarded-Host names more hosts than there are proxies' })
  if (![ctx.get('Host'), ...forwarded].every((host) => HOST.test(host.trim())))
    throw RequestErrors.malformed({ why: 'a host is a name or an address with an optional port' })
}

function decodedPath(ctx: Context): string {
  try {
    return decodeURIComponent(ctx.path)
  } catch {
    throw RequestErrors.malformed({
      why: 'the address is not percent-encoded UTF-8',
    })
  }
}
