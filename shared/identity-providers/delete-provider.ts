import { closeSessionsOfProvider } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'
import { lockProviderAs } from './lock-provider-as.ts'

/** Deletes a provider with its links to accounts, and closes the sessions that it opened. */
export async function deleteProvider(tx: StoreTx, actorId: string, id: string): Promise<void> {
  await lockProviderAs(tx, actorId, id)
  await closeSessionsOfProvider(tx, id)
  await IdentityProvider.in(tx).deleteById(id)
}
