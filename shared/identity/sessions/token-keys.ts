import { createSecretKey, type KeyObject } from 'node:crypto'
import { config } from '#shared/platform/config/config.ts'
import { hmac, memoizeByKeys } from '#shared/platform/secrets/crypto.ts'

/**
 * The two keys that are derived from one configured key. Each kind of token has its own, so that a refresh token is
 * never accepted as an access token, nor an access token as one.
 */
export interface TokenKey {
  access: KeyObject
  refresh: KeyObject
}

const tokenKeysOf = memoizeByKeys(
  (keys) => new Map([...keys].map(([kid, key]) => [kid, tokenKeyOf(key)] as const)),
)

/**
 * Returns the keys that sign tokens, by `kid`. The first key signs, and all verify. An old key can be removed one hour
 * after another key is the first one in every process, because its last access token has expired then (support sessions
 * last an hour). Sessions stay open, because refresh tokens are verified by their stored hash. Links in mails, carts,
 * API tokens and publishable keys do not depend on these keys.
 *
 * Remove a stolen key immediately. Its holder can still forge the refresh token of a session whose id they know, until
 * that token is exchanged: run `npm run sessions:close` when session ids may have leaked, too.
 */
export const tokenKeys = (): ReadonlyMap<string, TokenKey> => tokenKeysOf(config().TOKEN_KEYS)

const tokenKeyOf = (key: Buffer): TokenKey => ({
  access: createSecretKey(key),
  refresh: createSecretKey(hmac(key, 'refresh token')),
})
