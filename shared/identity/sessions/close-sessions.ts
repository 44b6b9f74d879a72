import type { Device } from '#shared/identity/device.ts'
import {
  type Account,
  type IdentityTx,
  principalOf,
  rowsOf,
  type StoreAccount,
} from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ClosedReason, openSessionsOf, sessionsIn } from './session.ts'

/** Closes a session. After the commit its tokens get 401 `auth.session_revoked`. A closed session stays as it is. */
export async function closeSession(tx: IdentityTx, sessionId: string, reason: ClosedReason): Promise<void> {
  await unclosed(tx).where('id', sessionId).update(closedBy(reason))
}

/** Closes every session of an account, but not the session `except`. */
export async function closeSessionsOfAccount(
  tx: IdentityTx,
  account: Account,
  reason: ClosedReason,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await principalOf(account.type).beforeSignOutEverywhere?.(tx, account.id)
  const sessions = unclosed(tx).where(rowsOf(tx, account))
  if (except) sessions.whereNot('id', except)
  await sessions.update(closedBy(reason))
}

/** Closes the sessions of an account that sign-ins at a provider opened, but not the session `except`. */
export async function closeSessionsByProvider(
  tx: StoreTx,
  account: StoreAccount,
  providerId: string,
  { except }: { except: string },
): Promise<void> {
  await unclosed(tx)
    .where({ ...rowsOf(tx, account), provider_id: providerId })
    .whereNot('id', except)
    .update(closedBy('identity_unlinked'))
}

/**
 * Closes every session that was opened by a sign-in at an identity provider. The caller has locked the provider, so
 * that no sign-in opens another one.
 */
export async function closeSessionsOfProvider(tx: StoreTx, providerId: string): Promise<void> {
  await unclosed(tx).where('provider_id', providerId).update(closedBy('provider_changed'))
}

/** Closes every session of a store's customers and staff, or of all super-admins. Returns their number. */
export const closeSessionsInScope = async (tx: IdentityTx, reason: ClosedReason): Promise<number> =>
  unclosed(tx).update(closedBy(reason))

/** Closes every session of a store that is deleted, or restored after it was. Returns their number. */
export const closeSessionsOfDeletedStore = (tx: IdentityTx): Promise<number> =>
  closeSessionsInScope(tx, 'store_deleted')

/** Closes one of the account's open sessions. Throws `resource.not_found` for any other. */
export async function closeListedSession(
  tx: IdentityTx,
  account: Account,
  id: string,
  device: Device,
): Promise<void> {
  const closed = await openSessionsOf(tx, account).where({ id }).update(closedBy('closed_in_list'))
  if (!closed) throw CommonErrors.notFound()
  await recordSecurityEvent(tx, 'session_closed', account, device, { sessionId: id })
}

const unclosed = (tx: IdentityTx) => sessionsIn(tx).whereNull('closed_at')

const closedBy = (reason: ClosedReason) => ({ closed_at: now(), closed_reason: reason })
