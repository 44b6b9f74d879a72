import { SESSION_KEPT_MS } from '#shared/identity/purge-records.ts'
import { db } from '#shared/platform/db/db.ts'
import { inMs } from '#shared/platform/time/clock.ts'

/** Deletes super-admins' sessions that ended 90 days ago: all at once, for they are few. */
export const purgePlatformSessions = async (): Promise<void> => {
  await db()('super_admin_sessions')
    .whereRaw('least(closed_at, expires_at) < ?', [inMs(-SESSION_KEPT_MS)])
    .delete()
}
