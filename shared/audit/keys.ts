import { config } from '../platform/config.ts'
import { hmac, readKeys } from '../platform/crypto.ts'

let keys: Map<string, Buffer> | undefined

/** The keys that entries are hashed with, made of those that encrypt: the first is in use, the rest still verify. */
export function auditKeys(): ReadonlyMap<string, Buffer> {
  keys ??= new Map(
    [...readKeys(config().ENCRYPTION_KEYS)].map(([kid, key]) => [kid, hmac(key, 'audit chain')]),
  )
  return keys
}
