import { AuthErrors } from '#shared/identity/errors.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { openSessionsOf } from '#shared/identity/sessions/session.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Makes now the time of a session's sign-in, after its account has proved itself again. Other sessions of the account
 * stay as they are. Throws `auth.session_revoked` if the session was closed.
 */
export async function renewSignIn(tx: IdentityTx, account: Account, sessionId: string): Promise<void> {
  const renewed = await openSessionsOf(tx, account)
    .where({ id: sessionId })
    .update({ authenticated_at: now() })
  if (!renewed) throw AuthErrors.sessionRevoked()
}
