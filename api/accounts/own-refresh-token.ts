import { AuthErrors } from '#shared/identity/errors.ts'
import { type RefreshToken, readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * The refresh token that a caller presents. It names its own store; where the request names one too, they must agree:
 * else `auth.refresh_token_invalid`, as for what has not the form of one.
 */
export function ownRefreshToken(store: Store | null, presented: string): RefreshToken {
  const token = readRefreshToken(presented)
  if (!token || (store && store.id !== token.storeId)) throw AuthErrors.refreshTokenInvalid()
  return token
}
