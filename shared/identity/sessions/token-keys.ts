import { createSecretKey, type KeyObject } from 'node:crypto'
import { config } from '#shared/platform/config/config.ts'
import { hmac, memoizeByKeys } from '#shared/platform/secrets/crypto.ts'

/** A key's two uses: each kind of token is signed with a key of its own, so one is never taken for the other. */
export interface TokenKey {
  access: KeyObject
  refresh: KeyObject
}

const tokenKeysOf = memoizeByKeys(
  (keys) => new Map([...keys].map(([kid, key]) => [kid, tokenKeyOf(key)] as const)),
)

/**
 * The keys that sign tokens, by `kid`: the first is the one in use, the rest still verify. An old one may go when the
 * last access token that it signed is over, an hour (a visit of support) after another stands first everywhere. Sessions
 * outlive it: their refresh tokens are known by the hash that is kept of them. Links in mails, carts, API tokens and
 * publishable keys need none of them.
 *
 * One that was stolen goes at once. Whoever has it can still make the refresh token of a session whose id they know,
 * until that token is exchanged: where they may have seen ids, `npm run sessions:close` is to follow.
 */
export const tokenKeys = (): ReadonlyMap<string, TokenKey> => tokenKeysOf(config().TOKEN_KEYS)

const tokenKeyOf = (key: Buffer): TokenKey => ({
  access: createSecretKey(key),
  refresh: createSecretKey(hmac(key, 'refresh token')),
})
