import type { Readable } from 'node:stream'

const EXCERPT_BYTES = 1_024
// A short rest is read, so that the connection can be reused. A longer rest costs more than a new connection.
const MAX_READ_BYTES = 64 * 1_024

// Control characters (the database rejects NUL) and marks that change the direction of text.
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Reads the start of an untrusted response as text that is safe to store and show. An endless body is cut off. */
export async function readExcerpt(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < EXCERPT_BYTES) chunks.push(chunk)
    read += chunk.length
    if (read > MAX_READ_BYTES) break
  }
  return excerptOf(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES))
}

/** Converts bytes to text, without a character that is cut in the middle. */
export const excerptOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(UNSAFE, '').toWellFormed()
