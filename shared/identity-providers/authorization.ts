import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { OauthErrors } from './errors.ts'
import {
  findActiveIdentityProviderById,
  type IdentityProvider,
  lockActiveIdentityProvider,
} from './identity-provider.ts'
import { assertAllowedRedirect } from './redirect-url.ts'
import { stateTokens } from './tokens.ts'

/** A started sign-in at a provider. It must be completed in the browser that started it. */
export class OauthAuthorization extends StoreModel {
  static override tableName = 'oauth_attempts'

  declare providerId: string
  declare stateHash: Buffer
  /** The hash of the secret in the browser's cookie. */
  declare browserHash: Buffer
  declare nonce: string
  declare sealedVerifier: string
  /** The URL of the sign-in page that the browser returns to. */
  declare redirectUrl: string
  /** The `state` and `code_challenge` of the sign-in page. */
  declare clientState: string | null
  declare codeChallenge: string | null
  declare expiresAt: Date
  declare usedAt: Date | null
}

export const codeVerifiers = defineSecrets(
  'started sign-ins at identity providers',
  {
    scope: 'store',
    table: 'oauth_attempts',
    columns: ['sealed_verifier'],
    expiresAt: 'case when used_at is null then expires_at end',
  },
  ({ id }: Pick<OauthAuthorization, 'id'>) => `oauth_attempt ${id}`,
)

/** Returns the PKCE code verifier (RFC 7636). */
export const codeVerifierOf = (authorization: OauthAuthorization): string =>
  codeVerifiers.of(authorization).open(authorization.sealedVerifier)

/** Enough time to sign in at the provider, or to register there. */
export const AUTHORIZATION_MS = 10 * MINUTE_MS

export interface AuthorizationRequest {
  providerId: string
  redirectUrl: string
  clientState: string | null
  codeChallenge: string | null
}

/** The parameters of the request to the provider, and the secret for the browser's cookie. */
export interface StartedAuthorization {
  id: string
  state: string
  nonce: string
  codeVerifier: string
  browserSecret: string
}

/** Inserts a started sign-in. Its secrets are stored hashed or encrypted. Throws `auth.oauth_provider_unavailable`. */
export async function startAuthorization(
  tx: StoreTx,
  request: AuthorizationRequest,
): Promise<StartedAuthorization> {
  await lockActiveIdentityProvider(tx, request.providerId)
  // Keep an expired one for a minute: a callback in progress reads it again.
  await OauthAuthorization.in(tx).where('expires_at', '<', inMs(-MINUTE_MS)).delete()
  const id = newId()
  const started = {
    id,
    state: stateTokens.make(tx.storeId, id),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    browserSecret: randomToken(),
  }
  await OauthAuthorization.in(tx).insert({
    ...request,
    id,
    stateHash: sha256(started.state),
    browserHash: sha256(started.browserSecret),
    nonce: started.nonce,
    sealedVerifier: codeVerifiers.of({ id }).seal(started.codeVerifier),
    expiresAt: inMs(AUTHORIZATION_MS),
  })
  return started
}

/** A browser that returns from a provider. */
export interface AuthorizationReturn {
  state: OpaqueToken
  /** The provider of the callback URL. A response of another provider is refused (mix-up attack, RFC 9207). */
  providerId: string
  browserSecret: string
}

export interface ConsumedAuthorization {
  authorization: OauthAuthorization
  provider: IdentityProvider
}

/**
 * Consumes a started sign-in, once, in the browser that started it. Throws `auth.oauth_state_invalid`, and
 * `auth.oauth_redirect_not_allowed` when its redirect URL was removed from the provider during the sign-in.
 */
export async function consumeAuthorization(
  tx: StoreTx,
  { state, providerId, browserSecret }: AuthorizationReturn,
): Promise<ConsumedAuthorization> {
  const provider = await findActiveIdentityProviderById(tx, providerId)
  const [authorization] = await OauthAuthorization.in(tx)
    .where({ id: state.id, state_hash: state.hash, browser_hash: sha256(browserSecret) })
    .where({ provider_id: provider.id })
    .whereNull('used_at')
    .where('expires_at', '>', now())
    .patch({ usedAt: now() })
    .returning('*')
  if (!authorization) throw OauthErrors.stateInvalid()
  assertAllowedRedirect(provider, authorization.redirectUrl)
  return { authorization, provider }
}

/**
 * Throws `auth.oauth_provider_unavailable` if a consumed sign-in was ended while the service called the provider. The
 * caller has locked the provider.
 */
export async function assertNotEnded(tx: StoreTx, { id }: OauthAuthorization): Promise<void> {
  if (!(await OauthAuthorization.in(tx).findById(id))) throw OauthErrors.providerUnavailable()
}

/** Deletes the sign-ins at a provider, consumed or not, so that none of them continues. */
export async function deleteAuthorizations(tx: StoreTx, providerId: string): Promise<void> {
  await OauthAuthorization.in(tx).where('provider_id', providerId).delete()
}
