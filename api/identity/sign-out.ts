import { Type } from 'typebox'
import { open } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { tokenPairExample } from './examples.ts'
import { closeSessionsOf, readOwnToken } from './refresh-tokens.ts'
import { LogoutQuery, RefreshTokenRequest } from './schemas.ts'

export const signOut = endpoint({
  method: 'post',
  path: '/auth/logout',
  access: open,
  audit: { action: 'postAuthLogout', resource: 'users' },
  transaction: 'manual',
  summary: 'Close the session, or all of the account',
  description:
    'Closing a closed session again changes nothing. Access tokens of a closed session end with it.',
  query: LogoutQuery,
  body: RefreshTokenRequest,
  returns: [200, Type.Null()],
  errors: [AuthErrors.refreshTokenInvalid, AuthErrors.sessionRevoked],
  example: { body: { refresh_token: tokenPairExample.refresh_token }, data: null },
  async handle({ store, body, query, request, unitOfWork }) {
    return closeSessionsOf(readOwnToken(store, body.refresh_token), query, { request, unitOfWork })
  },
})
