import { type AccountName, rowsOf } from '#shared/identity/account.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityLink } from './identity-link.ts'

/** Lets nobody at any provider sign in to an account any more, whose row the caller has locked or deleted. */
export async function unlinkAccount(tx: StoreTx, account: AccountName): Promise<void> {
  await IdentityLink.in(tx).where(rowsOf(account)).delete()
}
