import type { Static } from 'typebox'
import { loadIdentityProvider } from '#api/gateways/load-identity-provider.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { Reply } from '#api/platform/output/reply.ts'
import {
  codeVerifierOf,
  consumeAuthorization,
  type OauthAuthorization,
} from '#shared/identity-providers/authorization.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { findOrLinkAccount } from '#shared/identity-providers/find-or-link-account.ts'
import type { Identity } from '#shared/identity-providers/identity.ts'
import { findProvider, type IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { issueCode } from '#shared/identity-providers/one-time-code.ts'
import { assertAllowedRedirect, withQuery } from '#shared/identity-providers/redirect-url.ts'
import { states } from '#shared/identity-providers/tokens.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertOwnToken } from './assert-own-token.ts'
import { browserCookie } from './browser-cookie.ts'
import { callbackUrlFor } from './callback-url.ts'
import { redirect } from './redirect.ts'
import type { CallbackQuery } from './schemas.ts'

type Answer = Static<typeof CallbackQuery>

/** Handles the callback of a provider: redirects the browser to the sign-in page with a one-time code or an error. */
export async function completeProviderSignIn(
  store: Store | null,
  providerCode: string,
  answer: Answer,
  request: RequestInfo,
): Promise<Reply> {
  const state = await assertOwnToken(store, states.read(answer.state), OauthErrors.stateInvalid)
  const { storeId } = state
  const callbackUrl = await callbackUrlFor(storeId, providerCode, request)
  const cookie = browserCookie(state.id, callbackUrl)
  const browserSecret = cookie.read(request)
  const taken = await inStore(storeId, (tx) =>
    consumeAuthorization(tx, { state, providerCode, browserSecret }),
  )
  const outcome = await codeOrError(taken, answer, callbackUrl, request)
  const { redirectUrl, clientState } = taken.attempt
  return redirect(withQuery(redirectUrl, { ...outcome, state: clientState }), cookie.clear())
}

/** Errors for which no redirect URL is known. */
const NOWHERE = OauthErrors.redirectNotAllowed.kind.code

interface Taken {
  attempt: OauthAuthorization
  provider: IdentityProvider
}

async function codeOrError(
  { attempt, provider }: Taken,
  answer: Answer,
  callbackUrl: string,
  { language }: RequestInfo,
): Promise<Record<string, string>> {
  const { nonce } = attempt
  const question = { callbackUrl, state: answer.state, nonce, codeVerifier: codeVerifierOf(attempt) }
  try {
    const { identify } = await loadIdentityProvider()
    const identity = await identify(provider, question, given(answer))
    return { code: await issueCodeFor({ attempt, provider }, identity, language) }
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === NOWHERE) throw error
    return { error: error.code, error_description: error.message }
  }
}

const issueCodeFor = ({ attempt, provider }: Taken, identity: Identity, language: string): Promise<string> =>
  inStore(provider.storeId, async (tx) => {
    const account = await findOrLinkAccount(tx, provider, identity, language)
    // Read it again under a lock: the redirect URL may have been removed while the provider was called.
    assertAllowedRedirect(await findProvider(tx, provider.id), attempt.redirectUrl)
    return issueCode(tx, account, attempt)
  })

/** The parameters of the protocol. Providers add others. */
const given = ({ state, code, iss, error, error_description }: Answer): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ state, code, iss, error, error_description }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
