import { RequestErrors } from '../errors.ts'
import { MAX_DEPTH, MAX_VALUES } from './text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Counts the structure of JSON while its bytes arrive, so that a body of too many values or levels is never parsed: the
 * parser would block the process and fill its memory. It refuses nothing that `rejectHostileJson` accepts.
 */
export function scanJson(): (bytes: Buffer) => void {
  let isInText = false
  let isEscaped = false
  let depth = 0
  let commas = 0
  let openings = 0
  return (bytes) => {
    // UTF-8 has no byte of ASCII inside another character.
    for (const byte of bytes) {
      if (isEscaped) isEscaped = false
      else if (isInText) {
        if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInText = false
      } else if (byte === QUOTE) isInText = true
      else if (byte === COMMA) commas += 1
      else if (OPENING.has(byte)) {
        openings += 1
        depth += 1
        if (depth > MAX_DEPTH) throw tooDeep()
      } else if (CLOSING.has(byte)) depth -= 1
    }
    // Each comma separates two values, and each list and object is one.
    if (commas >= MAX_VALUES || openings > MAX_VALUES) throw tooMany()
  }
}

const tooDeep = () => RequestErrors.malformed({ why: `the body is nested deeper than ${MAX_DEPTH} levels` })

const tooMany = () => RequestErrors.malformed({ why: `the body holds more than ${MAX_VALUES} values` })
