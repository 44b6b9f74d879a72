import { randomBytes } from 'node:crypto'
import { sha256 } from '../platform/crypto.ts'
import { uuidBytes, uuidOf } from '../platform/id.ts'

/**
 * A `state`, or a one-time code, that somebody presents. It names its own store: a provider sends browsers back to one
 * address for all of them.
 */
export interface OauthToken {
  storeId: string
  id: string
  hash: Buffer
}

const FORMAT = /^[\w-]{86}$/

/** Makes a token, `<store ‖ row ‖ 32 random bytes>` in base64url. Only its SHA-256 is kept. */
export const makeOauthToken = (storeId: string, id: string): string =>
  Buffer.concat([uuidBytes(storeId), uuidBytes(id), randomBytes(32)]).toString('base64url')

/** Reads a token; null when it has not the form of one. */
export function readOauthToken(text: string): OauthToken | null {
  if (!FORMAT.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return { storeId: uuidOf(bytes.subarray(0, 16)), id: uuidOf(bytes.subarray(16, 32)), hash: sha256(text) }
}
