import type { TokenPair } from '../accounts/open-session.ts'
import { makeRefreshToken } from '../accounts/refresh-token.ts'
import type { Device } from '../accounts/session.ts'
import { HOUR_MS, inMs, now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import { db } from '../platform/db.ts'
import { newId } from '../platform/id.ts'
import { signSuperAdminToken } from './access-token.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Without use a session ends after half a day: who runs the platform signs in every morning. */
export const IDLE_MS = 12 * HOUR_MS

/** In a refresh token, where a store's id stands in those of its accounts. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000'

export const tokenOf = (sessionId: string, generation: number): string =>
  makeRefreshToken({ storeId: PLATFORM, sessionId, generation })

export const pairOf = (superAdminId: string, sessionId: string, refreshToken: string): TokenPair => ({
  ...signSuperAdminToken({ superAdminId, sessionId }),
  refreshToken,
})

/** Signs a super-admin in, whose password was right. */
export async function openSuperAdminSession(
  { id: superAdminId }: SuperAdmin,
  device: Device,
): Promise<TokenPair> {
  const id = newId()
  const refreshToken = tokenOf(id, 1)
  await db()('super_admin_sessions').insert({
    id,
    super_admin_id: superAdminId,
    generation: 1,
    token_hash: sha256(refreshToken),
    ip: device.ip,
    user_agent: device.userAgent,
    created_at: now(),
    expires_at: inMs(IDLE_MS),
  })
  return pairOf(superAdminId, id, refreshToken)
}
