import type { Device } from '#shared/identity/device.ts'
import { type Account, type IdentityTx, rowsOf, tablesIn } from '#shared/identity/principal.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'

interface NewSession {
  id: string
  refreshToken: string
  authenticated_at: Date | null
  expires_at: Date
  provider_id?: string
  /** The reason why a super-admin opens the session, as an administrator of the store. */
  support_reason?: string
  /** The session of the super-admin that opens a support session. */
  super_admin_session_id?: string
}

/** Inserts the row of a new session. */
export async function insertSession(
  tx: IdentityTx,
  account: Account,
  { ip, userAgent }: Device,
  { refreshToken, ...session }: NewSession,
): Promise<void> {
  const at = now()
  await tx.knex(tablesIn(tx).sessions).insert({
    ...rowsOf(tx, account),
    ...session,
    generation: 1,
    token_hash: sha256(refreshToken),
    ip,
    user_agent: userAgent,
    created_at: at,
    last_used_at: at,
  })
}
