import { parentPort, workerData } from 'node:worker_threads'
import { toSafeHtml } from './to-safe-html.ts'

/** The messages of the thread, in this sequence. */
export type ThreadMessage = 'started' | { html: string[] }

const send = (message: ThreadMessage) => parentPort?.postMessage(message)

// The libraries are loaded, and the time limit starts now.
send('started')
send({ html: (workerData as string[]).map(toSafeHtml) })
