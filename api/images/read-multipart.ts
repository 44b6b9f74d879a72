import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { RequestErrors } from '#api/platform/errors.ts'
import { CodedError } from '#shared/platform/errors.ts'

const LIMITS = { files: 1, fields: 20, fieldSize: 1_024, parts: 21, headerPairs: 20 }

/**
 * Returns the bytes of the first file of a multipart form. Fields of the form are ignored. Throws `request.malformed`.
 */
export function readFirstFile(body: AsyncIterable<Buffer>, headers: IncomingHttpHeaders): Readable {
  const form = parserOf(headers)
  const file = new PassThrough()
  const fail = (error: unknown) => file.destroy(error instanceof CodedError ? error : malformed('is damaged'))
  let isFound = false
  form.on('file', (_field, content) => {
    isFound = true
    content.on('error', fail).pipe(file)
  })
  pipeline(Readable.from(body), form).then(() => {
    if (!isFound) file.destroy(malformed('holds no file'))
  }, fail)
  return file
}

function parserOf(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
  } catch {
    throw malformed('has no boundary')
  }
}

const malformed = (fault: string): CodedError =>
  RequestErrors.malformed({ why: `the multipart form ${fault}` })
