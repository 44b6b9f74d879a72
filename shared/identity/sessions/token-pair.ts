import { type Static, Type } from 'typebox'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { type AccessClaims, type PlatformClaims, signAccessToken } from './access-token.ts'

/** The tokens of a sign-in or refresh. `expiresIn` is the lifetime of the access token in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

/** Creates a new access token of the session, and returns it with the session's present refresh token. */
export function makeTokenPair(
  { storeId }: IdentityTx,
  { type: accountType, id: accountId }: Account,
  sessionId: string,
  refreshToken: string,
): TokenPair {
  const claims = { accountType, accountId, sessionId, storeId } as AccessClaims | PlatformClaims
  return { ...signAccessToken(claims), refreshToken }
}

export const tokenPairProperties = {
  access_token: Type.String({ description: 'Send it as "Authorization: Bearer …"' }),
  refresh_token: Type.String({ description: 'For POST /auth/refresh; store each new one' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
}

export const TokenPairView = Shape(tokenPairProperties)

export const viewTokenPair = ({
  accessToken,
  refreshToken,
  expiresIn,
}: TokenPair): Static<typeof TokenPairView> => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
})
