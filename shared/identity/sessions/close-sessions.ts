import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AccountType } from './access-token.ts'
import { type ClosedReason, Session } from './session.ts'

/** Closes a session: its tokens give 401 `auth.session_revoked` from the commit on. Doing it again changes nothing. */
export async function closeSession(tx: StoreTx, sessionId: string, reason: ClosedReason): Promise<void> {
  await openSessions(tx).where('id', sessionId).patch({ closedAt: now(), closedReason: reason })
}

/** Closes every session of an account, but for one that may go on. */
export async function closeAllSessions(
  tx: StoreTx,
  account: { type: AccountType; id: string },
  reason: ClosedReason,
  { except }: { except?: string } = {},
): Promise<void> {
  const sessions = openSessions(tx).where({ account_type: account.type, account_id: account.id })
  if (except) sessions.whereNot('id', except)
  await sessions.patch({ closedAt: now(), closedReason: reason })
}

/** Closes every session in the store, of customers and staff, and returns how many those were. */
export const closeEverySession = async (tx: StoreTx, reason: ClosedReason): Promise<number> =>
  openSessions(tx).patch({ closedAt: now(), closedReason: reason })

/** Signs everyone out of a store that is being deleted or restored. */
export const signOutEveryone = (tx: StoreTx): Promise<number> => closeEverySession(tx, 'store_deleted')

const openSessions = (tx: StoreTx) => Session.in(tx).whereNull('closed_at')
