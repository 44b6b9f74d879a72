import { closeSessionsOfProvider } from '#shared/identity/sessions/close-sessions.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'

/**
 * Deactivates the store's active identity providers for staff, closes the sessions that they opened, and returns them.
 * The caller has locked the roster.
 */
export async function deactivateStaffProviders(tx: StoreTx): Promise<IdentityProvider[]> {
  const providers = await IdentityProvider.in(tx)
    .where({ audience: 'staff', is_active: true })
    .orderBy('id')
    .forUpdate()
  for (const provider of providers) {
    await closeSessionsOfProvider(tx, provider.id)
    await IdentityProvider.in(tx)
      .findById(provider.id)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(provider) })
  }
  return providers
}
