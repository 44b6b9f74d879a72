import { rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { unlinkAccount } from './identity-link.ts'

/** Deletes the links of an account to identity providers. */
export async function eraseProviderLinks(tx: StoreTx, account: StoreAccount): Promise<void> {
  await unlinkAccount(tx, account)
  await tx.knex('oauth_codes').where(rowsOf(tx, account)).delete()
}
