import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertMayChange } from './assert-may-change.ts'
import type { ProviderFields } from './create-provider.ts'
import { findProvider, IdentityProvider, lockProvider, sealSecret } from './identity-provider.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/**
 * Changes a provider. Omitted fields keep their value. The issuer cannot change: the same subject is another person at
 * another issuer.
 */
export async function updateProvider(
  tx: StoreTx,
  actorId: string,
  id: string,
  { clientSecret, ...changes }: Partial<ProviderFields>,
  ifMatch: string | undefined,
): Promise<IdentityProvider> {
  const provider = await lockProviderAs(tx, actorId, id)
  assertUnchanged(provider, ifMatch)
  assertRedirectUrls(changes.redirectUrls ?? [])
  return IdentityProvider.in(tx).patchAndFetchById(id, {
    ...changes,
    ...(clientSecret === undefined ? {} : { sealedSecret: clientSecret && sealSecret(clientSecret, id) }),
    updatedAt: nextUpdatedAt(provider),
  })
}

/** Deletes a provider with its links to accounts. Open sessions stay open. */
export async function deleteProvider(tx: StoreTx, actorId: string, id: string): Promise<void> {
  await lockProviderAs(tx, actorId, id)
  await IdentityProvider.in(tx).deleteById(id)
}

// The audience never changes, so it can be read before the lock.
async function lockProviderAs(tx: StoreTx, actorId: string, id: string): Promise<IdentityProvider> {
  await assertMayChange(tx, actorId, await findProvider(tx, id))
  return lockProvider(tx, id)
}
