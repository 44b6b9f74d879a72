import { closeSessionsOfProvider } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deleteAuthorizations } from './authorization.ts'
import { deleteCodesOfProvider } from './one-time-code.ts'

/**
 * Ends what a provider has vouched for: closes the sessions that it opened, and deletes the sign-ins in progress and
 * their one-time codes. These stay invalid if the provider gets its former client or is activated again. The caller has
 * locked the provider.
 */
export async function endSignIns(tx: StoreTx, providerId: string): Promise<void> {
  await endCompletedSignIns(tx, providerId)
  await deleteAuthorizations(tx, providerId)
}

/** Closes the sessions that a provider opened, and deletes its one-time codes. The caller has locked the provider. */
export async function endCompletedSignIns(tx: StoreTx, providerId: string): Promise<void> {
  await closeSessionsOfProvider(tx, providerId)
  await deleteCodesOfProvider(tx, providerId)
}
