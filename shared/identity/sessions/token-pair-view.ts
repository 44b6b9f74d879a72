import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import type { TokenPair } from './open-session.ts'

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
