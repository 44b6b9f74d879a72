import type { Context } from 'koa'
import { RequestErrors } from '#api/platform/errors.ts'

/** Whether a request announces a body. */
export function hasBody(ctx: Context): boolean {
  return (
    ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0
  )
}

const UTF8 = /^utf-?8$/i

/** Throws 415 if the body has none of these media types, is not UTF-8 or is compressed. */
export function assertMediaType(ctx: Context, ...accepted: string[]): void {
  // Letter case of a media type does not matter (RFC 9110, section 8.3.1).
  const type = ctx.request.type.trim().toLowerCase()
  const { charset } = ctx.request
  const isUtf8 = !charset || UTF8.test(charset)
  const encoding = ctx.get('Content-Encoding')
  const isCompressed = encoding !== '' && encoding !== 'identity'
  if (!accepted.includes(type) || !isUtf8 || isCompressed)
    throw RequestErrors.unsupportedMediaType({ accepts: accepted.join(' or ') })
}

/** Returns the announced length of the body in bytes; undefined without one. */
export function lengthOf(ctx: Context): number | undefined {
  const { 'content-length': length } = ctx.req.headers
  return length === undefined ? undefined : Number(length)
}

/** Throws 413 if the announced length is over the limit. */
export function assertLength(ctx: Context, limit: number): void {
  if ((lengthOf(ctx) ?? 0) > limit) throw RequestErrors.tooLarge({ limit })
}
