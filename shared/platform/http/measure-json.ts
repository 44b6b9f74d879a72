const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** The levels and the values of the largest JSON that is parsed. */
export interface JsonBounds {
  levels: number
  values: number
}

/**
 * Counts the structure of JSON while its bytes arrive, and returns what there is too much of: JSON of too many values
 * or levels must never be parsed, because the parser would block the process and fill its memory.
 */
export function measureJson(most: JsonBounds): (bytes: Buffer) => keyof JsonBounds | null {
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
        if (depth > most.levels) return 'levels'
      } else if (CLOSING.has(byte)) depth -= 1
    }
    // Each comma separates two values, and each list and object is one.
    return commas >= most.values || openings > most.values ? 'values' : null
  }
}
