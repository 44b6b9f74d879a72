const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** The most levels and values of JSON that is parsed. */
export interface JsonBounds {
  levels: number
  values: number
}

/**
 * Returns a function that counts the structure of JSON while its bytes arrive, and returns the exceeded bound, else
 * null. JSON with too many values or levels must not be parsed: the parser would block the process and fill its memory.
 */
export function measureJson(most: JsonBounds): (bytes: Buffer) => keyof JsonBounds | null {
  let isInString = false
  let isEscaped = false
  let depth = 0
  let commas = 0
  let openings = 0
  return (bytes) => {
    // In UTF-8 no byte of another character equals an ASCII byte.
    for (const byte of bytes) {
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
      } else if (byte === QUOTE) isInString = true
      else if (byte === COMMA) commas += 1
      else if (OPENING.has(byte)) {
        openings += 1
        depth += 1
        if (depth > most.levels) return 'levels'
      } else if (CLOSING.has(byte)) depth -= 1
    }
    // N commas outside strings mean more than N values; each `[` or `{` is a value too.
    return commas >= most.values || openings > most.values ? 'values' : null
  }
}
