import { createHmac, hash, type KeyObject, randomBytes } from 'node:crypto'

/**
 * Parses `kid:key,kid:key` (keys in base64url). The first key encrypts and signs; the others only decrypt and verify.
 */
export function parseKeys(text: string): Map<string, Buffer> {
  return new Map(
    text.split(',').map((pair) => {
      const at = pair.indexOf(':')
      return [pair.slice(0, at), Buffer.from(pair.slice(at + 1), 'base64url')]
    }),
  )
}

/** Caches the result of `make` for the parsed keys until their text changes. */
export function memoizeByKeys<T>(make: (keys: Map<string, Buffer>) => T): (text: string) => T {
  let last: { text: string; made: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, made: make(parseKeys(text)) }
    return last.made
  }
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const hmac = (key: Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Returns random bytes in base64url, for tokens. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
