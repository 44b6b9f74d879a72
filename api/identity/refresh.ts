import { open } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { TokenPairView, viewTokenPair } from '#shared/identity/sessions/token-pair.ts'
import { tokenPairExample } from './examples.ts'
import { readOwnToken, refreshSession } from './refresh-tokens.ts'
import { RefreshTokenRequest } from './schemas.ts'

export const refresh = endpoint({
  method: 'post',
  path: '/auth/refresh',
  access: open,
  summary: 'Exchange a refresh token for a new pair',
  description:
    'Store the new refresh token each time. For 60 seconds, the old one returns the same new one again, so ' +
    'concurrent tabs do no harm. After that, its use returns `auth.refresh_token_invalid` to a customer, and closes ' +
    'the session of a staff member with `auth.refresh_token_reused`.',
  body: RefreshTokenRequest,
  returns: [200, TokenPairView],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.refreshTokenReused, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: tokenPairExample },
  async handle({ store, body, request }) {
    return viewTokenPair(await refreshSession(readOwnToken(store, body.refresh_token), request))
  },
})
