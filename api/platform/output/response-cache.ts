import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config/config.ts'
import type { RenderedResponse } from '#shared/platform/idempotency/idempotency-key.ts'
import type { AuthContext } from '../auth/auth-context.ts'
import { languageOf } from '../input/language.ts'
import { send } from './reply.ts'

// Changes that nobody writes, such as the start of a sale, show after this long. Written changes show at once.
const TTL_MS = 5_000
const CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=30'
const VARY = 'X-Service-Key, Host, Accept-Language, Origin'

/** A response as bytes, which are made once and sent many times. */
interface CachedResponse {
  status: number
  bytes: Buffer
  etag: string
}

let shared: LRUCache<string, CachedResponse> | undefined

/** The cache of this process, bounded in bytes; null when it is turned off. */
function cache(): LRUCache<string, CachedResponse> | null {
  const maxSize = config().CATALOG_CACHE_MB * 1024 * 1024
  if (!maxSize) return null
  shared ??= createCache(maxSize)
  return shared
}

function createCache(maxSize: number): LRUCache<string, CachedResponse> {
  const created = new LRUCache<string, CachedResponse>({
    maxSize,
    ttl: TTL_MS,
    sizeCalculation: (cached, key) => cached.bytes.length + key.length + 200,
  })
  // The cache drops an expired response only when it is read again, so idle ones would hold memory.
  setInterval(() => created.purgeStale(), TTL_MS).unref()
  return created
}

/**
 * Makes the sender of an operation's cached responses. They are keyed by store, catalog version, language and address.
 * The version is read with each request, and every catalog write raises it in its own transaction: a cached response is
 * never older than the last committed change.
 */
export function cacheResponses() {
  return async (ctx: Context, auth: AuthContext, respond: () => Promise<RenderedResponse>): Promise<void> => {
    const cached = await findOrRespond(ctx, auth, respond)
    ctx.set('ETag', cached.etag)
    ctx.set('Cache-Control', CACHE_CONTROL)
    ctx.set('Vary', VARY)
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else send(ctx, cached.status, cached.bytes)
  }
}

async function findOrRespond(
  ctx: Context,
  { tenant }: AuthContext,
  respond: () => Promise<RenderedResponse>,
): Promise<CachedResponse> {
  const responses = cache()
  const key = `${tenant?.store.id} ${tenant?.catalogVersion} ${languageOf(ctx, tenant)} ${ctx.url}`
  const found = responses?.get(key)
  if (found) return found
  const { status, text } = await respond()
  const bytes = toOwnedBytes(text)
  const cached = { status, bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` }
  responses?.set(key, cached)
  return cached
}

/** UTF-8 bytes with memory of their own. `Buffer.from(text)` would keep a shared block of 64 KB alive with them. */
const toOwnedBytes = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer)
