import { config } from '../platform/config.ts'
import { readKeys } from '../platform/crypto.ts'

let keys: Map<string, Buffer> | undefined

/** The keys that sign tokens, by `kid`: the first is the one in use, the rest still verify. */
export function tokenKeys(): ReadonlyMap<string, Buffer> {
  keys ??= readKeys(config().TOKEN_KEYS)
  return keys
}
