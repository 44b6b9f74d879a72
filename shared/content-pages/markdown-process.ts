import { toSafeHtml } from './to-safe-html.ts'

// This is the separate process of `render-bodies.ts`.

/** The messages of the process, in this sequence. */
export type ProcessMessage = 'started' | { html: string[] }

const send = (message: ProcessMessage, done?: () => void) =>
  process.send?.(message, undefined, undefined, done)

// The process gets one message. Its libraries are loaded by then, so the time limit starts now.
process.once('message', (texts: string[]) =>
  send('started', () => send({ html: texts.map((text) => toSafeHtml(text)) })),
)

// The web process or worker has ended, and nobody waits for the HTML.
process.once('disconnect', () => process.exit())
