import { StoreModel } from '#shared/platform/db/model.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'

/** A sign-in that was begun in a browser, and is to come back from the provider into the same one. */
export class OauthAttempt extends StoreModel {
  static override tableName = 'oauth_attempts'

  declare providerId: string
  declare stateHash: Buffer
  /** Of the secret that the browser keeps in a cookie meanwhile. */
  declare browserHash: Buffer
  declare nonce: string
  declare sealedVerifier: string
  /** Where the browser goes when it has come back from the provider. */
  declare redirectUrl: string
  /** The page's own `state` and `code_challenge`. */
  declare clientState: string | null
  declare codeChallenge: string | null
  declare expiresAt: Date
  declare usedAt: Date | null
}

export const codeVerifiers = defineSecrets(
  'sign-ins under way at identity providers',
  {
    scope: 'store',
    table: 'oauth_attempts',
    columns: ['sealed_verifier'],
    expiresAt: 'case when used_at is null then expires_at end',
  },
  ({ id }: Pick<OauthAttempt, 'id'>) => `oauth_attempt ${id}`,
)

/** What proves to the provider that whoever began the sign-in ends it (PKCE, RFC 7636). */
export const codeVerifierOf = (attempt: OauthAttempt): string =>
  codeVerifiers.of(attempt).open(attempt.sealedVerifier)
