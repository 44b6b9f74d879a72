import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type AccountName, rowsOf } from '../account.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { type Device, Session } from './session.ts'

/** More than anybody looks through; the rest is closed with all of them. */
const MOST = 100

/** The account's open sessions, the last used first, at most a hundred. */
export const listSessions = async (tx: StoreTx, account: AccountName): Promise<Session[]> =>
  openSessions(tx, account).orderBy('last_used_at', 'desc').orderBy('id', 'desc').limit(MOST)

/** Closes one of the account's open sessions; 404 `resource.not_found` for any other. */
export async function closeListedSession(
  tx: StoreTx,
  account: AccountName,
  id: string,
  device: Device,
): Promise<void> {
  const closed = await openSessions(tx, account)
    .where({ id })
    .patch({ closedAt: now(), closedReason: 'closed_in_list' })
  if (!closed) throw CommonErrors.notFound()
  await recordSecurityEvent(tx, 'session_closed', account, device, { sessionId: id })
}

const openSessions = (tx: StoreTx, account: AccountName) =>
  Session.in(tx).where(rowsOf(account)).whereNull('closed_at').where('expires_at', '>', now())
