import type { ChildProcess } from 'node:child_process'
import { LRUCache } from 'lru-cache'
import { runInProcess } from '#shared/platform/run-in-process.ts'
import type { Texts } from '#shared/platform/text.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { PageErrors } from './errors.ts'
import { RENDER_TIMEOUT_MS } from './limits.ts'
import type { ProcessMessage } from './markdown-process.ts'
import { RENDERER } from './renderer.ts'

/** The bodies of a page with their HTML, by language. */
export interface RenderedBodies {
  bodyI18n: Texts
  htmlI18n: Texts
  /** The version of the renderer that made the HTML. */
  renderer: string
}

const MAX_MEMORY_MB = 128
const PROCESS = new URL('./markdown-process.ts', import.meta.url)

/**
 * The slowest prose of the maximum size takes less in three languages. A slower page is rendered again, as a slow one.
 */
const QUICK_MS = 1_000
const maxWaiting = 8
const withQuickPermit = semaphore({ permits: 1, maxWaiting })
const withSlowPermit = semaphore({ permits: 1, maxWaiting })
/** The stores with a slow page within the last minute. */
const slowStores = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE_MS })

/**
 * Renders the Markdown of each language to safe HTML. Stores take turns. Stores with slow pages wait in a separate
 * queue, so hostile pages of one store hardly delay those of another. Call it outside transactions. Throws
 * `page.body_too_complex` past the limits of time, memory and size, and 429 if too many wait.
 *
 * It renders in a separate process: hostile Markdown of an allowed size takes seconds, and would block the requests of
 * all stores. It can also exceed the memory limit, and a thread that exceeds it may end the whole process.
 */
export async function renderBodies(storeId: string, bodyI18n: Texts): Promise<RenderedBodies> {
  const languages = Object.keys(bodyI18n)
  const html = languages.length ? await renderInTurn(storeId, Object.values(bodyI18n)) : []
  return {
    bodyI18n,
    htmlI18n: Object.fromEntries(languages.map((language, at) => [language, html[at] ?? ''])),
    renderer: RENDERER,
  }
}

async function renderInTurn(storeId: string, texts: string[]): Promise<string[]> {
  const isSlow = () => slowStores.has(storeId)
  // Check again after the wait: another page of the store may have been slow.
  const renderQuickly = async () => (isSlow() ? TOO_SLOW : renderWithin(QUICK_MS, storeId, texts))
  const renderSlowly = () => renderWithin(RENDER_TIMEOUT_MS, storeId, texts)
  const quick = isSlow() ? TOO_SLOW : await withQuickPermit(renderQuickly, { caller: storeId })
  if (quick !== TOO_SLOW) return quick
  const html = await withSlowPermit(renderSlowly, { caller: storeId })
  if (html === TOO_SLOW) throw PageErrors.bodyTooComplex()
  return html
}

/** Renders texts. Returns `TOO_SLOW` past the time. Notes whether the store is slow. */
async function renderWithin(
  timeoutMs: number,
  storeId: string,
  texts: string[],
): Promise<string[] | typeof TOO_SLOW> {
  const begun = performance.now()
  try {
    return await renderInProcess(texts, timeoutMs)
  } finally {
    if (performance.now() - begun >= QUICK_MS) slowStores.set(storeId, true)
  }
}

const TOO_SLOW = Symbol('too slow')

/** Renders texts in a separate process. Returns `TOO_SLOW` past the time. */
const renderInProcess = (texts: string[], timeoutMs: number): Promise<string[] | typeof TOO_SLOW> =>
  runInProcess(PROCESS, texts, (child) => readHtml(child, timeoutMs), {
    // Do not pass on the flags of this process, which can load more modules.
    execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

/** The signals with which Node ends a process that has used up its memory. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP'])

function readHtml(child: ChildProcess, timeoutMs: number): Promise<string[] | typeof TOO_SLOW> {
  const { promise, resolve, reject } = Promise.withResolvers<string[] | typeof TOO_SLOW>()
  let timer: NodeJS.Timeout | undefined
  child.on('message', (message: ProcessMessage) => {
    if (message === 'too long') return reject(PageErrors.bodyTooComplex())
    if (message !== 'started') return resolve(message.html)
    timer = setTimeout(() => resolve(TOO_SLOW), timeoutMs)
  })
  child.once('error', reject)
  child.once('exit', (code, signal) =>
    reject(
      OUT_OF_MEMORY.has(signal)
        ? PageErrors.bodyTooComplex()
        : new Error(`The Markdown process ended with ${signal ?? code}`),
    ),
  )
  return promise.finally(() => clearTimeout(timer))
}
