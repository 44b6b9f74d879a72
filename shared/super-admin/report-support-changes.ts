import { listSessionChanges } from '#shared/audit/list-session-changes.ts'
import {
  lockUnreportedSession,
  markReported,
  type UnreportedSession,
} from '#shared/identity/sessions/support-changes.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { now } from '#shared/platform/time/clock.ts'
import { supportChangesMail } from '#shared/staff/mails/support-changes.ts'
import { mailOwner } from '#shared/staff/ownership/mail-owner.ts'
import { findSuperAdminEmail } from './super-admin.ts'

/** A longer mail is not read. The audit log has all changes. */
const MAX_LISTED = 50

/**
 * Mails the changes of a support session to the store's owner, once for each session. The session can make no changes
 * after that, so the mail misses none.
 */
export async function reportSupportChanges(tx: StoreTx, sessionId: string): Promise<void> {
  const session = await lockUnreportedSession(tx, sessionId)
  if (!session) return
  const { changes, total } = await listSessionChanges(tx, sessionId, session.createdAt, MAX_LISTED)
  await markReported(tx, sessionId)
  await mailOwner(tx, supportChangesMail, {
    super_admin_id: session.superAdminId,
    super_admin: toText(await findSuperAdminEmail(tx.knex, session.superAdminId)),
    reason: session.reason,
    from: toTimestamp(session.createdAt),
    to: toTimestamp(await endOf(tx, session)),
    changes: changes.map(({ createdAt, resourceType, resourceId, ...change }) => ({
      ...change,
      at: toTimestamp(createdAt),
      resource_type: resourceType,
      resource_id: resourceId,
    })),
    total,
  })
}

/** Returns the time at which a session ended; now if it can still read. */
async function endOf(
  { knex }: StoreTx,
  { superAdminId, createdAt, closedAt, openerClosedAt, expiresAt }: UnreportedSession,
): Promise<Date> {
  const { signed_out_at } = await knex('super_admins').where('id', superAdminId).first('signed_out_at')
  const signedOutAt = signed_out_at >= createdAt ? signed_out_at : null
  const ends = [closedAt, openerClosedAt, signedOutAt, expiresAt, now()].filter((end) => end !== null)
  return new Date(Math.min(...ends.map(Number)))
}
