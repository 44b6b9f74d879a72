import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { RequestErrors } from '#api/platform/errors.ts'
import { CodedError } from '#shared/platform/errors.ts'

const LIMITS = { files: 1, fields: 20, fieldSize: 1_024, parts: 21, headerPairs: 20, headerSize: 4_096 }

// Write to the parser in pieces of 1 KB. It parses every form part of a write, even past the limit: a packet of 64 KB
// can hold 9,000 parts, at up to 50 µs each.
const PIECE_BYTES = 1_024

/**
 * Returns the bytes of the first file of a multipart form. Fields of the form are ignored, and nothing is parsed after
 * the file or past the limit of parts. Throws `request.malformed`.
 */
export function readFirstFile(body: AsyncIterable<Buffer>, headers: IncomingHttpHeaders): Readable {
  const form = parserOf(headers)
  const file = new PassThrough()
  const fail = (error: unknown) => file.destroy(error instanceof CodedError ? error : malformed('is damaged'))
  let isFound = false
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  form.on('file', (_field, content) => {
    isFound = true
    content.on('error', fail).once('end', stop).pipe(file)
  })
  form.once('partsLimit', stop)
  const end = (error?: unknown) => {
    if (!isFound && (isStopped || !error)) file.destroy(malformed('holds no file'))
    // After a stop, the parser reports an incomplete form. That is no error.
    else if (error && !isStopped) fail(error)
  }
  pipeline(() => piecesOf(body, () => isStopped), form).then(() => end(), end)
  return file
}

async function* piecesOf(body: AsyncIterable<Buffer>, isStopped: () => boolean): AsyncGenerator<Buffer> {
  for await (const bytes of body)
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      if (isStopped()) return
      yield bytes.subarray(start, start + PIECE_BYTES)
    }
}

function parserOf(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    // Write one piece at a time: a piece waits until the reader of the file has taken the piece before it.
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS, highWaterMark: PIECE_BYTES })
  } catch {
    throw malformed('has no boundary')
  }
}

const malformed = (fault: string): CodedError =>
  RequestErrors.malformed({ why: `the multipart form ${fault}` })
