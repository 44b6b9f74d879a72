import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Texts } from '#shared/platform/text.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { PageErrors } from './errors.ts'
import { MAX_HTML, RENDER_TIMEOUT_MS } from './limits.ts'
import type { ThreadMessage } from './markdown-thread.ts'
import { RENDERER } from './renderer.ts'

/** The bodies of a page with their HTML, by language. */
export interface RenderedBodies {
  bodyI18n: Texts
  htmlI18n: Texts
  /** The version of the renderer that made the HTML. */
  renderer: string
}

// More than a thread can fill before its time is over. Node cannot always stop a thread at this limit: a single large
// allocation past it aborts the whole process.
const MAX_MEMORY_MB = 768
const THREAD = new URL('./markdown-thread.ts', import.meta.url)

const withPermit = semaphore({ permits: 1, maxWaiting: 8 })

/**
 * Renders the Markdown of each language to safe HTML, in a thread: hostile Markdown of an allowed size takes seconds,
 * and would block the requests of all stores. Stores take turns, so hostile pages of one store delay a page of another
 * by only two renderings. Call it outside transactions. Throws `page.body_too_complex` past the limits of time, memory
 * and size, and 429 if too many wait.
 */
export async function renderBodies(storeId: string, bodyI18n: Texts): Promise<RenderedBodies> {
  const languages = Object.keys(bodyI18n)
  const render = () => renderInThread(Object.values(bodyI18n))
  const html = languages.length ? await withPermit(render, storeId) : []
  if (html.some(({ length }) => length > MAX_HTML)) throw PageErrors.bodyTooComplex()
  return {
    bodyI18n,
    htmlI18n: Object.fromEntries(languages.map((language, at) => [language, html[at] ?? ''])),
    renderer: RENDERER,
  }
}

async function renderInThread(texts: string[]): Promise<string[]> {
  // Do not pass on the flags of this process, which can load more modules.
  const thread = new Worker(THREAD, {
    workerData: texts,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  try {
    return await readResult(thread)
  } catch (error) {
    throw isOverLimit(error as Error) ? PageErrors.bodyTooComplex() : error
  } finally {
    await thread.terminate()
  }
}

async function readResult(thread: Worker): Promise<string[]> {
  const timeout = new AbortController()
  for await (const [message] of on(thread, 'message', { signal: timeout.signal, close: ['exit'] })) {
    const sent = message as ThreadMessage
    if (sent !== 'started') return sent.html
    setTimeout(() => timeout.abort(), RENDER_TIMEOUT_MS).unref()
  }
  throw new Error('The Markdown thread ended without a result')
}

const isOverLimit = ({ name, code }: Error & { code?: string }): boolean =>
  name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
