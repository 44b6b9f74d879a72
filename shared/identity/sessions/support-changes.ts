import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { sessionsIn } from './session.ts'

/** A support session that changed the store, and whose changes were not mailed to the owner yet. */
export interface UnreportedSession {
  superAdminId: string
  reason: string
  createdAt: Date
  closedAt: Date | null
  /** The time at which the super-admin's session that opened it was closed. */
  openerClosedAt: Date | null
  expiresAt: Date
}

/**
 * Records before the commit that a support session changed the store. The commit fails with `auth.support_read_only` if
 * the changes of the session were mailed to the owner, because the mail would miss this one.
 */
export function recordSupportChange(tx: StoreTx, sessionId: string): void {
  // The mail waits for this lock of the row. Take it late, because a deletion of the store locks the store first.
  tx.beforeCommit('support change', () => markChanged(tx, sessionId), 'end of the audit log')
}

async function markChanged(tx: StoreTx, id: string): Promise<void> {
  const changed = await unreported(tx, id).update({
    support_changed_at: tx.knex.raw('coalesce(support_changed_at, ?)', [now()]),
  })
  if (!changed) throw AuthErrors.supportReadOnly()
}

const unreported = (tx: StoreTx, id: string) => sessionsIn(tx).where({ id }).whereNull('support_reported_at')

/**
 * Locks a support session with changes to report, so that only one transaction reports them, after all changes have
 * committed. Undefined if it has none.
 */
export async function lockUnreportedSession(tx: StoreTx, id: string): Promise<UnreportedSession | undefined> {
  const session = await unreported(tx, id).whereNotNull('support_changed_at').forNoKeyUpdate().first({
    superAdminId: 'account_id',
    reason: 'support_reason',
    createdAt: 'created_at',
    closedAt: 'closed_at',
    openerId: 'super_admin_session_id',
    expiresAt: 'expires_at',
  })
  if (!session) return undefined
  const opener = await tx.knex('super_admin_sessions').where('id', session.openerId).first('closed_at')
  return { ...session, openerClosedAt: opener?.closed_at ?? null }
}

/** Ends the changes of a support session: they are in a mail to the owner. */
export async function markReported(tx: StoreTx, id: string): Promise<void> {
  await sessionsIn(tx).where({ id }).update('support_reported_at', now())
}
