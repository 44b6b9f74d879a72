import { randomBytes } from 'node:crypto'
import { sha256 } from '../platform/crypto.ts'
import { uuidBytes, uuidOf } from '../platform/id.ts'

/** A token of a mailed link that somebody presents. It names its own store, for staff come without one. */
export interface LinkToken {
  storeId: string
  id: string
  hash: Buffer
}

const PREFIX = 'cx_ln_'
const FORMAT = new RegExp(`^${PREFIX}[\\w-]{86}$`)

/** The token of a mailed link, `cx_ln_<store ‖ link ‖ 32 random bytes>`. Only its SHA-256 is kept. */
export function makeLinkToken(storeId: string, id: string): string {
  const bytes = Buffer.concat([uuidBytes(storeId), uuidBytes(id), randomBytes(32)])
  return PREFIX + bytes.toString('base64url')
}

/** Reads the token of a mailed link; null when it has not the form of one. */
export function readLinkToken(token: string): LinkToken | null {
  if (!FORMAT.test(token)) return null
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  return { storeId: uuidOf(bytes.subarray(0, 16)), id: uuidOf(bytes.subarray(16, 32)), hash: sha256(token) }
}
