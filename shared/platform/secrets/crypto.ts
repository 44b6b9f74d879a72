import { createHmac, hash, type KeyObject, randomBytes } from 'node:crypto'

/** Reads `kid:key,kid:key` (keys in base64url). The first key is the one in use; the rest still open what they closed. */
export function parseKeys(text: string): Map<string, Buffer> {
  return new Map(
    text.split(',').map((pair) => {
      const at = pair.indexOf(':')
      return [pair.slice(0, at), Buffer.from(pair.slice(at + 1), 'base64url')]
    }),
  )
}

/** What is made of such keys: made once, and anew only when the text is another. */
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

/** `bytes` random bytes in base64url: a token nobody can guess. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
