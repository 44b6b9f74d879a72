import type { Readable } from 'node:stream'

const KEPT_BYTES = 1_024
// A longer body is not read to its end, only to reuse the connection after it.
const READ_BYTES = 64 * 1_024

// Controls (NUL among them, which the database refuses), and marks that turn the direction of what is shown.
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Reads the start of a stranger's answer as text that can be kept and shown; an endless one is cut off. */
export async function readExcerpt(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < KEPT_BYTES) chunks.push(chunk)
    read += chunk.length
    if (read > READ_BYTES) break
  }
  return excerptOf(Buffer.concat(chunks).subarray(0, KEPT_BYTES))
}

/** A character that the cut went through is left out. */
export const excerptOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(UNSAFE, '').toWellFormed()
