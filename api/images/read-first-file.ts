import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { RequestErrors } from '#api/platform/errors.ts'
import { CodedError } from '#shared/platform/errors.ts'

const LIMITS = { files: 1, fields: 20, fieldSize: 1_024, parts: 21, headerPairs: 20, headerSize: 4_096 }

// One write parses all of its parts, even those past the limit. A part takes up to 50 µs, and a packet of 64 KB can
// hold 9,000.
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
  let isEnough = false
  const stop = () => {
    isEnough = true
  }
  form.on('file', (_field, content) => {
    isFound = true
    content.on('error', fail).once('end', stop).pipe(file)
  })
  form.once('partsLimit', stop)
  const end = (error?: unknown) => {
    if (!isFound && (isEnough || !error)) file.destroy(malformed('holds no file'))
    // The parser takes the early end of its input for damage.
    else if (error && !isEnough) fail(error)
  }
  pipeline(() => piecesOf(body, () => isEnough), form).then(() => end(), end)
  return file
}

async function* piecesOf(body: AsyncIterable<Buffer>, isEnough: () => boolean): AsyncGenerator<Buffer> {
  for await (const bytes of body)
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      if (isEnough()) return
      yield bytes.subarray(start, start + PIECE_BYTES)
    }
}

function parserOf(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    // One piece at a time: a write that waits for the file's reader holds all that follow it.
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS, highWaterMark: PIECE_BYTES })
  } catch {
    throw malformed('has no boundary')
  }
}

const malformed = (fault: string): CodedError =>
  RequestErrors.malformed({ why: `the multipart form ${fault}` })
