import { randomBytes } from 'node:crypto'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** The most levels, values and different names of fields of JSON that is parsed. */
export interface JsonBounds {
  levels: number
  values: number
  names: number
}

// Random, so that nobody can find names with equal hashes, which would count as one.
const MULTIPLIER = randomBytes(4).readUInt32LE() | 1

/**
 * Returns a function that counts the structure of JSON while its bytes arrive, and returns the exceeded bound, else
 * null. JSON with too many values or levels must not be parsed: the parser would block the process and fill its memory.
 * Different names cost the most, because each makes a class of objects: 50,000 block the process for 150 ms.
 */
export function measureJson(most: JsonBounds): (bytes: Buffer) => keyof JsonBounds | null {
  let isInString = false
  let isEscaped = false
  let depth = 0
  let commas = 0
  let openings = 0
  let hash = 1
  const names = new Set<number>()
  return (bytes) => {
    // In UTF-8 no byte of another character equals an ASCII byte.
    for (const byte of bytes) {
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
        hash = (Math.imul(hash, MULTIPLIER) + byte) | 0
      } else if (byte === QUOTE) {
        isInString = true
        hash = 1
      } else if (byte === COMMA) commas += 1
      else if (byte === COLON) {
        // The name before the colon is the last text.
        if (names.add(hash).size > most.names) return 'names'
      } else if (OPENING.has(byte)) {
        openings += 1
        depth += 1
        if (depth > most.levels) return 'levels'
      } else if (CLOSING.has(byte)) depth -= 1
    }
    // N commas outside strings mean more than N values; each `[` or `{` is a value too.
    return commas >= most.values || openings > most.values ? 'values' : null
  }
}
