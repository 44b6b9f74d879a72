import { randomBytes } from 'node:crypto'
import { uuidBytes, uuidFromBytes } from '../db/id.ts'
import { sha256 } from './crypto.ts'

/** A token that somebody presents. It names its row, and its own store: who comes with it may name none. */
export interface OpaqueToken {
  storeId: string
  id: string
  hash: Buffer
}

/** A kind of token that opens one row once, `<prefix><store ‖ row ‖ 32 random bytes>`. Only its SHA-256 is kept. */
export function opaqueTokens(prefix: string) {
  const format = new RegExp(`^${prefix}[\\w-]{86}$`)
  return {
    make(storeId: string, id: string): string {
      const bytes = Buffer.concat([uuidBytes(storeId), uuidBytes(id), randomBytes(32)])
      return prefix + bytes.toString('base64url')
    },
    /** Null when it has not the form of one. */
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
