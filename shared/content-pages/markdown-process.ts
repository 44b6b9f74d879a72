import { MAX_HTML, MAX_HTML_OF_PAGE } from './limits.ts'
import { toSafeHtml } from './to-safe-html.ts'

// This is the separate process of `render-bodies.ts`.

/** The messages of the process: `started`, then the HTML, or that it is too long. */
export type ProcessMessage = 'started' | 'too long' | { html: string[] }

const send = (message: ProcessMessage, done?: () => void) =>
  process.send?.(message, undefined, undefined, done)

// The process gets one message. Its libraries are loaded by then, so the time limit starts now.
process.once('message', (texts: string[]) => send('started', () => send(render(texts))))

/**
 * Renders texts. It checks the length in this process, because a long message would block the process that reads it.
 */
function render(texts: string[]): ProcessMessage {
  const html: string[] = []
  let left = MAX_HTML_OF_PAGE
  for (const text of texts) {
    const rendered = toSafeHtml(text)
    left -= rendered.length
    if (rendered.length > MAX_HTML || left < 0) return 'too long'
    html.push(rendered)
  }
  return { html }
}

// The web process or worker has ended, and nobody waits for the HTML.
process.once('disconnect', () => process.exit())
