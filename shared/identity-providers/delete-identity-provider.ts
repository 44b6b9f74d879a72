import { closeSessionsOfProvider } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'
import { lockIdentityProviderAs } from './lock-identity-provider-as.ts'

/** Deletes a provider with its links to accounts, and closes the sessions that it opened. */
export async function deleteIdentityProvider(tx: StoreTx, actorId: string, id: string): Promise<void> {
  await lockIdentityProviderAs(tx, actorId, id)
  await closeSessionsOfProvider(tx, id)
  await IdentityProvider.in(tx).deleteById(id)
}
