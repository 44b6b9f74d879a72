import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'
import { lockProviderAs } from './lock-provider-as.ts'

/** Deletes a provider with its links to accounts. Open sessions stay open. */
export async function deleteProvider(tx: StoreTx, actorId: string, id: string): Promise<void> {
  await lockProviderAs(tx, actorId, id)
  await IdentityProvider.in(tx).deleteById(id)
}
