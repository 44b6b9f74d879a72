import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config.ts'
import type { Admission } from './admit.ts'
import type { Answer } from './idempotency.ts'
import { languageOf } from './language.ts'

// What time alone changes (a sale begins) shows after this long; what anyone changes shows at once.
const LONGEST_MS = 5_000
const CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=30'
const VARY = 'X-Service-Key, Host, Accept-Language, Origin'

interface Kept extends Answer {
  etag: string
}

let shared: LRUCache<string, Kept> | undefined

/** One store of answers a process, bounded in bytes. Null when it is turned off. */
function answers(): LRUCache<string, Kept> | null {
  const maxSize = config().CATALOG_CACHE_MB * 1024 * 1024
  if (!maxSize) return null
  shared ??= new LRUCache({
    maxSize,
    ttl: LONGEST_MS,
    sizeCalculation: (kept, key) => kept.text.length + key.length + 200,
  })
  return shared
}

/**
 * Keeps an operation's answers by store, catalog version, language and address. The version was read when this
 * request came in, and every catalog write raises it in its own transaction, so a kept answer is never older than
 * the last committed change.
 */
export function keepAnswers() {
  return async (ctx: Context, admission: Admission, work: () => Promise<Answer>): Promise<Answer> => {
    const kept = (await find(ctx, admission, work)) as Kept
    ctx.set('ETag', kept.etag)
    ctx.set('Cache-Control', CACHE_CONTROL)
    ctx.set('Vary', VARY)
    ctx.status = 200
    return ctx.fresh ? { ...kept, status: 304 } : kept
  }
}

async function find(ctx: Context, { visit }: Admission, work: () => Promise<Answer>): Promise<Kept> {
  const keep = answers()
  const key = `${visit?.store.id} ${visit?.catalogVersion} ${languageOf(ctx, visit)} ${ctx.url}`
  const found = keep?.get(key)
  if (found) return found
  const answer = await work()
  const kept = {
    ...answer,
    etag: `"${createHash('sha1').update(answer.text).digest('base64url')}"`,
  }
  keep?.set(key, kept)
  return kept
}
