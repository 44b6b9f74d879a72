import { parentPort, workerData } from 'node:worker_threads'
import { toSafeHtml } from './to-safe-html.ts'

/** The messages of the thread, in this order. */
export type ThreadMessage = 'started' | { html: string[] }

const send = (message: ThreadMessage) => parentPort?.postMessage(message)

// The libraries are loaded: the time limit begins here.
send('started')
send({ html: (workerData as string[]).map(toSafeHtml) })
