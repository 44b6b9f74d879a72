import { rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityLink } from './identity-link.ts'

/** Lets nobody at any provider sign in to an account any more, whose row the caller has locked or deleted. */
export async function unlinkAccount(tx: StoreTx, account: StoreAccount): Promise<void> {
  await IdentityLink.in(tx).where(rowsOf(tx, account)).delete()
}
