import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { endSignIns } from './end-sign-ins.ts'
import { IdentityProvider } from './identity-provider.ts'

/**
 * Deactivates the store's active identity providers for staff, ends their sign-ins, and returns them. The caller has
 * locked the roster.
 */
export async function deactivateStaffIdentityProviders(tx: StoreTx): Promise<IdentityProvider[]> {
  const providers = await IdentityProvider.in(tx)
    .where({ audience: 'staff', is_active: true })
    .orderBy('id')
    .forUpdate()
  for (const provider of providers) {
    await endSignIns(tx, provider.id)
    await IdentityProvider.in(tx)
      .findById(provider.id)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(provider) })
  }
  return providers
}
