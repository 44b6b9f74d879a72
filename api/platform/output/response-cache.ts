import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { languageOf } from '#api/platform/input/language.ts'
import { config } from '#shared/platform/config/config.ts'
import { ClientGroup, runForClient } from '#shared/platform/db/waiting-client.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type SentResponse, send } from './reply.ts'

// Changes without a write, e.g. the start of a sale, show after this time. Written changes show immediately.
const TTL_MS = 5_000
const MAX_AGE = TTL_MS / 1_000
const STALE_WHILE_REVALIDATE = 30
const VARY = 'X-Service-Key, Host, Accept-Language, Origin'

/** Returns the request headers on which the store and the response depend. */
const varyOf = (): string => (config().TRUST_FORWARDED_HOST ? `${VARY}, X-Forwarded-Host` : VARY)

/** A response as bytes, which are created once and sent many times. */
interface CachedResponse {
  status: number
  bytes: Buffer
  etag: string
  /** The time at which it expires without a write. */
  validUntil: Date | undefined
}

let shared: LRUCache<string, CachedResponse> | undefined

/** Returns the cache of this process, limited in bytes; null if it is turned off. */
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
  // The cache drops an expired response only when it is read again, so unused ones would keep their memory.
  setInterval(() => created.purgeStale(), TTL_MS).unref()
  return created
}

/**
 * Creates the sender of an operation's cached responses. Their key has the store, catalog version, language and URL.
 * Each request reads the version, and every catalog write increments it in its own transaction. So a cached response is
 * never older than the last committed change.
 */
export function cacheResponses() {
  return async (
    ctx: Context,
    auth: AuthContext,
    handleRequest: () => Promise<SentResponse>,
  ): Promise<void> => {
    const cached = await findOrRender(ctx, auth, handleRequest)
    ctx.set('ETag', cached.etag)
    ctx.set('Cache-Control', cacheControlOf(cached, ctx.get('X-Service-Key') !== ''))
    ctx.set('Vary', varyOf())
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else send(ctx, cached.status, cached.bytes)
  }
}

async function findOrRender(
  ctx: Context,
  { tenant }: AuthContext,
  handleRequest: () => Promise<SentResponse>,
): Promise<CachedResponse> {
  const responses = cache()
  const key = `${tenant?.store.id} ${tenant?.catalogVersion} ${languageOf(ctx, tenant)} ${ctx.url}`
  const found = responses?.get(key)
  if (found && !isExpired(found)) return found
  const render = async (): Promise<CachedResponse> => {
    const { status, text, validUntil } = await handleRequest()
    const bytes = toOwnedBytes(text)
    const cached = { status, bytes, validUntil, etag: `"${hash('sha1', bytes, 'base64url')}"` }
    responses?.set(key, cached)
    return cached
  }
  return responses ? renderOnce(key, render) : render()
}

/** A response that is being rendered, and the clients that wait for it. */
interface Rendering {
  response: Promise<CachedResponse>
  clients: ClientGroup
}

const renderings = new Map<string, Rendering>()

/**
 * Renders a response once for all requests that need it at the same time. Otherwise each visitor of a popular product
 * would read it again whenever an order has incremented the catalog version.
 */
function renderOnce(key: string, render: () => Promise<CachedResponse>): Promise<CachedResponse> {
  const running = renderings.get(key)
  if (running) {
    running.clients.join()
    // Render again after an error: it may concern only the first request, such as its rate limit.
    return running.response.catch(render)
  }
  const clients = new ClientGroup()
  clients.join()
  const response = runForClient(clients, render)
    .catch((error) => {
      throw clients.refusal ?? error
    })
    .finally(() => renderings.delete(key))
  renderings.set(key, { response, clients })
  return response
}

const isExpired = ({ validUntil }: CachedResponse): boolean => validUntil !== undefined && validUntil <= now()

/**
 * Returns the Cache-Control header. No other cache may keep a response after it expires. If a key names the store, only
 * the caller's own cache may keep it: some shared caches do not vary by a header, and would send one store's response
 * to another's shoppers.
 */
function cacheControlOf({ validUntil }: CachedResponse, isByKey: boolean): string {
  const seconds = validUntil ? Math.floor((validUntil.getTime() - now().getTime()) / 1_000) : Infinity
  const maxAge = Math.max(0, Math.min(MAX_AGE, seconds))
  const stale = Math.max(0, Math.min(STALE_WHILE_REVALIDATE, seconds - maxAge))
  return `${isByKey ? 'private' : 'public'}, max-age=${maxAge}, stale-while-revalidate=${stale}`
}

/** Returns UTF-8 bytes in separate memory. `Buffer.from(text)` would keep a shared block of 64 KB alive. */
const toOwnedBytes = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer)
