import type { Context, Next } from 'koa'
import { RequestErrors } from './errors.ts'
import { refuseUnstorable } from './text.ts'

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
export async function guardRequest(ctx: Context, next: Next): Promise<void> {
  const { rawHeaders } = ctx.req
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (SINGLE.has(name) && seen.has(name))
      throw RequestErrors.malformed({ why: `the header ${name} comes twice` })
    seen.add(name)
  }
  if (!seen.has('host') && ctx.req.httpVersion !== '1.0')
    throw RequestErrors.malformed({ why: 'it has no Host header' })
  if (!ctx.req.url?.startsWith('/'))
    throw RequestErrors.malformed({
      why: 'its address must begin with a slash',
    })
  refuseUnstorable(decodedPath(ctx), 'the address')
  await next()
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
