import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { codeVerifiers, OauthAttempt } from './attempt.ts'
import { holdProvider } from './find-provider.ts'
import { states } from './tokens.ts'

/** Long enough to sign in at the provider, or to open an account there. */
export const ATTEMPT_MS = 10 * MINUTE_MS

export interface Beginning {
  providerId: string
  redirectUrl: string
  clientState: string | null
  codeChallenge: string | null
}

/** What goes to the provider, and the secret that the browser keeps. */
export interface Begun {
  id: string
  state: string
  nonce: string
  codeVerifier: string
  browserSecret: string
}

/**
 * Notes that a sign-in was begun. Of its secrets none is kept in the clear. Throws `auth.oauth_provider_unavailable`.
 */
export async function beginAttempt(tx: StoreTx, beginning: Beginning): Promise<Begun> {
  await holdProvider(tx, beginning.providerId)
  await OauthAttempt.in(tx).where('expires_at', '<', now()).delete()
  const id = newId()
  const begun = {
    id,
    state: states.make(tx.storeId, id),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    browserSecret: randomToken(),
  }
  await OauthAttempt.in(tx).insert({
    ...beginning,
    id,
    stateHash: sha256(begun.state),
    browserHash: sha256(begun.browserSecret),
    nonce: begun.nonce,
    sealedVerifier: codeVerifiers.of({ id }).seal(begun.codeVerifier),
    expiresAt: inMs(ATTEMPT_MS),
  })
  return begun
}
