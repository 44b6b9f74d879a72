import type { ListedSession } from '#shared/identity/sessions/session-view.ts'
import { db } from '#shared/platform/db/db.ts'
import { openSessions } from './session.ts'

/** More than anybody looks through; the rest is closed with all of them. */
const MOST = 100

/** A super-admin's open sessions, the last used first, at most a hundred. */
export const listSessions = (superAdminId: string): Promise<ListedSession[]> =>
  openSessions(db(), superAdminId)
    .select('id', 'ip', { createdAt: 'created_at', lastUsedAt: 'last_used_at', userAgent: 'user_agent' })
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
