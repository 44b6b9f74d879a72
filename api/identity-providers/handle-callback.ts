import type { Static } from 'typebox'
import { loadIdentityProvider } from '#api/gateways/load-identity-provider.ts'
import { deviceOf } from '#api/identity/request.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { Reply } from '#api/platform/output/reply.ts'
import { assertOwnToken } from '#shared/identity-providers/assert-own-token.ts'
import { callbackUrlFor } from '#shared/identity-providers/callback-url.ts'
import {
  completeProviderSignIn,
  type Identify,
} from '#shared/identity-providers/complete-provider-sign-in.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { stateTokens } from '#shared/identity-providers/tokens.ts'
import type { Store } from '#shared/stores/store.ts'
import { browserCookie } from './browser-cookie.ts'
import { redirect } from './redirect.ts'
import type { CallbackQuery } from './schemas.ts'

/** Handles the callback of a provider: redirects the browser to the sign-in page, and deletes its cookie. */
export async function handleCallback(
  store: Store | null,
  providerId: string,
  response: Static<typeof CallbackQuery>,
  request: RequestInfo,
): Promise<Reply> {
  const state = await assertOwnToken(store, stateTokens.read(response.state), OauthErrors.stateInvalid)
  const callbackUrl = await callbackUrlFor(state.storeId, providerId, request.base)
  const cookie = browserCookie(state.id, callbackUrl)
  const location = await completeProviderSignIn(
    {
      state,
      providerId,
      browserSecret: cookie.read(request),
      callbackUrl,
      response,
      language: request.language,
      device: deviceOf(request),
    },
    identify,
  )
  return redirect(location, cookie.clear())
}

const identify: Identify = async (...args) => (await loadIdentityProvider()).identify(...args)
