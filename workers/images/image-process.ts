import type { ContentType } from '#shared/images/content-type.ts'
import { decodeImage, type MadeFile } from './decode-image.ts'

// This is the separate process of `make-files.ts`.

/** The message to the process. It gets only one. */
export interface EncodedImage {
  bytes: Buffer
  contentType: ContentType
  /** The most memory that the process may take. */
  maxMemoryBytes: number
}

/** The result of the process: the files, the reason of a failure, or that it took too much memory. */
export type ImageResult = { files: MadeFile[] } | { failure: string } | { isOutOfMemory: true }

const send = (result: ImageResult, sent = () => {}) => process.send?.(result, sent)
const end = () => process.kill(process.pid, 'SIGKILL')

process.once('message', ({ bytes, contentType, maxMemoryBytes }: EncodedImage) => {
  limitMemory(maxMemoryBytes)
  decodeImage(bytes, contentType).then(
    (files) => send({ files }),
    (error: Error) => send({ failure: error.message }),
  )
})

const MEMORY_READ_EVERY_MS = 10

/**
 * Ends the process when it takes more memory. Decoders run in other threads, so they do not delay the timer. Limits of
 * the operating system cannot be used: `ulimit -v` counts the 10 GB of addresses that Node reserves, and cgroups need
 * root.
 */
function limitMemory(bytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes) send({ isOutOfMemory: true }, end)
  }, MEMORY_READ_EVERY_MS)
}

// The worker has ended, and nobody waits for the files. Kill the process, because a running decoder would delay
// `process.exit`.
process.once('disconnect', end)
