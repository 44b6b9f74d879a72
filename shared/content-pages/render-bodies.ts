import type { ChildProcess } from 'node:child_process'
import { runInProcess } from '#shared/platform/run-in-process.ts'
import type { Texts } from '#shared/platform/text.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
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

const withPermit = semaphore({ permits: 1, maxWaiting: 8 })

/**
 * Renders the Markdown of each language to safe HTML. Stores take turns, so hostile pages of one store delay a page of
 * another by only one rendering. Call it outside transactions. Throws `page.body_too_complex` past the limits of time,
 * memory and size, and 429 if too many wait.
 *
 * It renders in a process of its own. Hostile Markdown of an allowed size takes seconds, and would block the requests
 * of all stores. It can also exceed the memory limit, and a thread that does may end the whole process.
 */
export async function renderBodies(storeId: string, bodyI18n: Texts): Promise<RenderedBodies> {
  const languages = Object.keys(bodyI18n)
  const render = () => renderInProcess(Object.values(bodyI18n))
  const html = languages.length ? await withPermit(render, { caller: storeId }) : []
  return {
    bodyI18n,
    htmlI18n: Object.fromEntries(languages.map((language, at) => [language, html[at] ?? ''])),
    renderer: RENDERER,
  }
}

const renderInProcess = (texts: string[]): Promise<string[]> =>
  runInProcess(PROCESS, texts, readHtml, {
    // Do not pass on the flags of this process, which can load more modules.
    execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

/** The signals with which Node ends a process that has used up its memory. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP'])

function readHtml(child: ChildProcess): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  let late: NodeJS.Timeout | undefined
  child.on('message', (message: ProcessMessage) => {
    if (message === 'too long') return reject(PageErrors.bodyTooComplex())
    if (message !== 'started') return resolve(message.html)
    late = setTimeout(() => reject(PageErrors.bodyTooComplex()), RENDER_TIMEOUT_MS)
  })
  child.once('error', reject)
  child.once('exit', (code, signal) =>
    reject(
      OUT_OF_MEMORY.has(signal)
        ? PageErrors.bodyTooComplex()
        : new Error(`The Markdown process ended with ${signal ?? code}`),
    ),
  )
  return promise.finally(() => clearTimeout(late))
}
