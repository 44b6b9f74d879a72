import type { Account, IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { listIdentityLinks } from './list-identity-links.ts'

/** Returns the names of the active providers that sign in to an account. Super-admins have none. */
export async function nameLinkedIdentityProviders(tx: IdentityTx, account: Account): Promise<string[]> {
  if (tx.storeId === null) return []
  const links = await listIdentityLinks(tx, account as StoreAccount)
  return links.filter(({ provider }) => provider.isActive).map(({ provider }) => provider.name)
}
