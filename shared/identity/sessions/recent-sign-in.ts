import { AuthErrors } from '#shared/identity/errors.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { now } from '#shared/platform/time/clock.ts'
import { openSessionsOf } from './session.ts'

/** The time for which a sign-in allows changes that outlast the session. */
export const RECENT_SIGN_IN_MINUTES = 60

/**
 * Counts from now as the sign-in of a session, after its account has proved itself again. Other sessions of the account
 * stay as they are. Throws `auth.session_revoked` if the session was closed.
 */
export async function renewSignIn(tx: IdentityTx, account: Account, sessionId: string): Promise<void> {
  const renewed = await openSessionsOf(tx, account)
    .where({ id: sessionId })
    .update({ authenticated_at: now() })
  if (!renewed) throw AuthErrors.sessionRevoked()
}
