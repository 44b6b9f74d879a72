import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import { now } from '#shared/platform/time/clock.ts'
import { OauthAttempt } from './attempt.ts'
import { OauthErrors } from './errors.ts'
import { findOpenProvider } from './find-provider.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { assertLeadsBack } from './redirect-url.ts'

interface Return {
  state: OpaqueToken
  /** The provider whose callback was called: another one's answer is not for this sign-in (mix-up, RFC 9207). */
  providerCode: string
  browserSecret: string
}

/**
 * Takes a sign-in up again, once, in the browser that began it. Throws `auth.oauth_state_invalid`, and
 * `auth.oauth_redirect_not_allowed` where it would lead back to an address that was taken off the list meanwhile.
 */
export async function takeAttempt(
  tx: StoreTx,
  { state, providerCode, browserSecret }: Return,
): Promise<{ attempt: OauthAttempt; provider: IdentityProvider }> {
  const provider = await findOpenProvider(tx, providerCode)
  const [attempt] = await OauthAttempt.in(tx)
    .where({ id: state.id, state_hash: state.hash, browser_hash: sha256(browserSecret) })
    .where({ provider_id: provider.id })
    .whereNull('used_at')
    .where('expires_at', '>', now())
    .patch({ usedAt: now() })
    .returning('*')
  if (!attempt) throw OauthErrors.stateInvalid()
  assertLeadsBack(provider, attempt.redirectUrl)
  return { attempt, provider }
}
