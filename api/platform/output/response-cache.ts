import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config/config.ts'
import type { AuthContext } from '../auth/authenticate.ts'
import type { RenderedResponse } from '../idempotency/idempotency.ts'
import { languageOf } from '../input/language.ts'
import { send } from './reply.ts'

// What time alone changes (a sale begins) shows after this long; what anyone changes shows at once.
const LONGEST_MS = 5_000
const CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=30'
const VARY = 'X-Service-Key, Host, Accept-Language, Origin'

/** An answer as it goes out: its bytes are made once, however often they are sent. */
interface CachedResponse {
  status: number
  bytes: Buffer
  etag: string
}

let shared: LRUCache<string, CachedResponse> | undefined

/** One store of answers a process, bounded in bytes. Null when it is turned off. */
function answers(): LRUCache<string, CachedResponse> | null {
  const maxSize = config().CATALOG_CACHE_MB * 1024 * 1024
  if (!maxSize) return null
  shared ??= openStore(maxSize)
  return shared
}

function openStore(maxSize: number): LRUCache<string, CachedResponse> {
  const store = new LRUCache<string, CachedResponse>({
    maxSize,
    ttl: LONGEST_MS,
    sizeCalculation: (kept, key) => kept.bytes.length + key.length + 200,
  })
  // What is not asked for again would else stay until others need its place.
  setInterval(() => store.purgeStale(), LONGEST_MS).unref()
  return store
}

/**
 * Keeps an operation's answers by store, catalog version, language and address. The version was read when this
 * request came in, and every catalog write raises it in its own transaction, so a kept answer is never older than
 * the last committed change.
 */
export function cacheResponses() {
  return async (
    ctx: Context,
    admission: AuthContext,
    work: () => Promise<RenderedResponse>,
  ): Promise<void> => {
    const kept = await find(ctx, admission, work)
    ctx.set('ETag', kept.etag)
    ctx.set('Cache-Control', CACHE_CONTROL)
    ctx.set('Vary', VARY)
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else send(ctx, kept.status, kept.bytes)
  }
}

async function find(
  ctx: Context,
  { visit }: AuthContext,
  work: () => Promise<RenderedResponse>,
): Promise<CachedResponse> {
  const keep = answers()
  const key = `${visit?.store.id} ${visit?.catalogVersion} ${languageOf(ctx, visit)} ${ctx.url}`
  const found = keep?.get(key)
  if (found) return found
  const { status, text } = await work()
  const bytes = ownBytes(text)
  const kept = { status, bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` }
  keep?.set(key, kept)
  return kept
}

/** In memory of their own: `Buffer.from(text)` cuts them from a block of 64 KB, all of which would be kept with them. */
const ownBytes = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer)
