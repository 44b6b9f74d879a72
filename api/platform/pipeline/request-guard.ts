import type { Context, Next } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { rejectUnstorable } from '../input/text.ts'
import { RequestErrors } from '../output/errors.ts'

/** Headers that say who and where: two of one would let two readers of a request disagree about it. */
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

/** Refuses requests that can be read in two ways, before anything reads them. */
export function guardRequest(ctx: Context, next: Next): Promise<void> {
  const { rawHeaders } = ctx.req
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) throw RequestErrors.malformed({ why: `the header ${name} comes twice` })
    seen.add(name)
  }
  if (!seen.has('host') && ctx.req.httpVersion !== '1.0')
    throw RequestErrors.malformed({ why: 'it has no Host header' })
  assertHosts(ctx)
  if (!ctx.req.url?.startsWith('/'))
    throw RequestErrors.malformed({
      why: 'its address must begin with a slash',
    })
  rejectUnstorable(decodedPath(ctx), 'the address')
  return next()
}

// A name or an address, and a port (RFC 9110, section 7.2). More than that, such as a list or a user's name, a cache before
// the service may take for another host than the service does.
const HOST = /^([\w.~-]+|\[[\da-f:.]+\])?(:\d{0,5})?$/i

function assertHosts(ctx: Context): void {
  const { TRUST_PROXY, PROXY_HOPS } = config()
  const forwarded = TRUST_PROXY ? ctx.get('X-Forwarded-Host').split(',') : []
  // Some proxies add the host to those that they were told, so that the first would be the caller's invention.
  if (forwarded.length > PROXY_HOPS)
    throw RequestErrors.malformed({ why: 'X-Forwarded-Host names more hosts than there are proxies' })
  if (![ctx.get('Host'), ...forwarded].every((host) => HOST.test(host.trim())))
    throw RequestErrors.malformed({ why: 'a host is a name or an address, and maybe a port' })
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
