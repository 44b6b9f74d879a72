import { isAscii, isUtf8 } from 'node:buffer'
import { assertIsText } from './assert-is-text.ts'
import { ImportFileErrors } from './errors.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * Converts a file in any of `ENCODINGS` to UTF-8 without a byte order mark. It recognizes the encoding by the mark, or
 * by the zeros of UTF-16. A byte that is not UTF-8 means Windows-1252, which spreadsheets in Western Europe use. Throws
 * `import.not_csv`, and `import.not_utf8` for a file that starts in UTF-8 and continues in another encoding.
 */
export class FileDecoder {
  encoding: Encoding = 'utf-8'
  /** Whether a character beyond ASCII was read as UTF-8. */
  #hasUtf8 = false

  async *decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let decoder: InstanceType<typeof TextDecoder> | null = null
    /** The start of a character whose other bytes are in the next part. */
    let held: Buffer = Buffer.alloc(0)
    let isFirst = true
    for await (const part of atLeast(bytes, 512)) {
      let piece = held.length ? Buffer.concat([held, part]) : part
      held = Buffer.alloc(0)
      if (isFirst) {
        assertIsText(piece)
        this.encoding = encodingOf(piece)
        if (this.encoding !== 'utf-8') decoder = new TextDecoder(this.encoding)
        else if (startsWithMark(piece)) piece = piece.subarray(3)
        isFirst = false
      }
      if (!decoder) {
        const complete = piece.subarray(0, completeLength(piece))
        if (isUtf8(complete)) {
          this.#hasUtf8 ||= !isAscii(complete)
          held = Buffer.from(piece.subarray(complete.length))
          yield complete
          continue
        }
        decoder = this.#toWindows1252()
      }
      yield Buffer.from(decoder.decode(piece, { stream: true }))
    }
    if (held.length) yield Buffer.from(this.#toWindows1252().decode(held))
    else if (decoder) yield Buffer.from(decoder.decode())
  }

  /** Returns the decoder of Windows-1252. Throws `import.not_utf8` after text in UTF-8. */
  #toWindows1252(): InstanceType<typeof TextDecoder> {
    if (this.#hasUtf8) throw ImportFileErrors.notUtf8()
    this.encoding = 'windows-1252'
    return new TextDecoder(this.encoding)
  }
}

const startsWithMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // A header is mostly ASCII. In UTF-16 every other byte of ASCII is zero.
  const start = bytes.subarray(0, 64)
  const zeros = (odd: number) => start.filter((byte, i) => i % 2 === odd && byte === 0).length
  if (zeros(1) > start.length / 4) return 'utf-16le'
  return zeros(0) > start.length / 4 ? 'utf-16be' : 'utf-8'
}

/** Returns the length of bytes in UTF-8 without an incomplete character at their end. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const isComplete = lengthOfCharacter(byte) <= back
      return isComplete ? bytes.length : bytes.length - back
    }
  }
  return bytes.length
}

/** Returns the length of a character by its first byte in UTF-8, which is not ASCII. */
function lengthOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4
  return firstByte >= 0xe0 ? 3 : 2
}

/** Joins the first parts, so that the first one has at least `size` bytes if the file has that many. */
async function* atLeast(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0)
  let isJoined = false
  for await (const part of bytes) {
    if (isJoined) yield part
    else {
      start = Buffer.concat([start, part])
      if (start.length < size) continue
      isJoined = true
      yield start
    }
  }
  if (!isJoined && start.length) yield start
}
