import { randomBytes } from 'node:crypto'
import { uuidBytes, uuidFromBytes } from '#shared/platform/db/id.ts'
import { sha256 } from './crypto.ts'

/** A parsed token. It contains its store, because a request with it may not name a store. */
export interface OpaqueToken {
  storeId: string
  id: string
  hash: Buffer
}

/**
 * Defines a kind of single-use token for one row: `<prefix><store ‖ row ‖ 32 random bytes>`. Only its SHA-256 is
 * stored.
 */
export function opaqueTokens(prefix: string) {
  const format = new RegExp(`^${prefix}[\\w-]{86}$`)
  return {
    make(storeId: string, id: string): string {
      const bytes = Buffer.concat([uuidBytes(storeId), uuidBytes(id), randomBytes(32)])
      return prefix + bytes.toString('base64url')
    },
    /** Parses a token; null if the text is not one. */
    read(token: string): OpaqueToken | null {
      if (!format.test(token)) return null
      const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
      return {
        storeId: uuidFromBytes(bytes.subarray(0, 16)),
        id: uuidFromBytes(bytes.subarray(16, 32)),
        hash: sha256(token),
      }
    },
  }
}
