import { createSecretKey, type KeyObject } from 'node:crypto'
import { config } from '../platform/config.ts'
import { hmac, readKeys } from '../platform/crypto.ts'

/** A key's two uses: each kind of token is signed with a key of its own, so one is never taken for the other. */
export interface TokenKey {
  access: KeyObject
  refresh: KeyObject
}

let keys: Map<string, TokenKey> | undefined

/** The keys that sign tokens, by `kid`: the first is the one in use, the rest still verify. */
export function tokenKeys(): ReadonlyMap<string, TokenKey> {
  keys ??= new Map([...readKeys(config().TOKEN_KEYS)].map(([kid, key]) => [kid, tokenKeyOf(key)]))
  return keys
}

const tokenKeyOf = (key: Buffer): TokenKey => ({
  access: createSecretKey(key),
  refresh: createSecretKey(hmac(key, 'refresh token')),
})
