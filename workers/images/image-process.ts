import type { ContentType } from '#shared/images/read-header.ts'
import { decodeImage, type MadeFile } from './decode-image.ts'

// This is the separate process of `make-files.ts`.

/** The message to the process. It gets only one. */
export interface EncodedImage {
  bytes: Buffer
  contentType: ContentType
}

/** The result of the process: the files, or the reason of a failure. */
export type ImageResult = { files: MadeFile[] } | { failure: string }

const send = (result: ImageResult) => process.send?.(result)

process.once('message', ({ bytes, contentType }: EncodedImage) => {
  decodeImage(bytes, contentType).then(
    (files) => send({ files }),
    (error: Error) => send({ failure: error.message }),
  )
})

// The worker has ended, and nobody waits for the files. Kill the process, because a running decoder would delay
// `process.exit`.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
