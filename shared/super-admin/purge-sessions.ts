import { KEPT_MS } from '../accounts/purge-sessions.ts'
import { inMs } from '../platform/clock.ts'
import { db } from '../platform/db.ts'

/** Deletes super-admins' sessions that ended 90 days ago: all at once, for they are few. */
export const purgeEndedOnPlatform = async (): Promise<void> => {
  await db()('super_admin_sessions')
    .whereRaw('least(closed_at, expires_at) < ?', [inMs(-KEPT_MS)])
    .delete()
}
