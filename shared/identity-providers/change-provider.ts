import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { assertMayChange } from './assert-may-change.ts'
import type { ProviderFields } from './create-provider.ts'
import { findProvider, IdentityProvider, lockProvider, sealSecret } from './identity-provider.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/**
 * Changes what is given and leaves the rest. The issuer stays: its subjects, to which accounts are linked, would be
 * other people at another one.
 */
export async function changeProvider(
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

/** Deletes a provider, and with it who was linked to whom. Sessions that it opened go on. */
export async function deleteProvider(tx: StoreTx, actorId: string, id: string): Promise<void> {
  await lockProviderAs(tx, actorId, id)
  await IdentityProvider.in(tx).deleteById(id)
}

// Its audience never changes, so that may be read before the lock.
async function lockProviderAs(tx: StoreTx, actorId: string, id: string): Promise<IdentityProvider> {
  await assertMayChange(tx, actorId, await findProvider(tx, id))
  return lockProvider(tx, id)
}
