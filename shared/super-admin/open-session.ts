import type { Knex } from 'knex'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import { makeRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { expiryOf } from '#shared/identity/sessions/session-span.ts'
import { newId } from '#shared/platform/db/id.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { signSuperAdminToken } from './access-token.ts'
import { PLATFORM } from './session.ts'

export const tokenOf = (sessionId: string, generation: number): string =>
  makeRefreshToken({ storeId: PLATFORM, sessionId, generation })

export const pairOf = (superAdminId: string, sessionId: string, refreshToken: string): TokenPair => ({
  ...signSuperAdminToken({ superAdminId, sessionId }),
  refreshToken,
})

/** Opens a session: whoever calls has made sure that it is the super-admin who asks. */
export async function openSuperAdminSession(
  knex: Knex,
  superAdminId: string,
  { ip, userAgent }: Device,
): Promise<TokenPair> {
  const id = newId()
  const at = now()
  const refreshToken = tokenOf(id, 1)
  await knex('super_admin_sessions').insert({
    id,
    super_admin_id: superAdminId,
    generation: 1,
    token_hash: sha256(refreshToken),
    ip,
    user_agent: userAgent,
    created_at: at,
    last_used_at: at,
    expires_at: expiryOf('super_admin', at),
  })
  return pairOf(superAdminId, id, refreshToken)
}
