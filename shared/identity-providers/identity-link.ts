import { type AccountType, rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Links an identity at a provider to an account. */
export class IdentityLink extends StoreModel {
  static override tableName = 'identity_links'

  declare providerId: string
  declare subject: string
  declare accountType: AccountType
  declare accountId: string
  declare createdAt: Date
}

/** Deletes all links of an account. The caller has locked or deleted the account. */
export async function unlinkAccount(tx: StoreTx, account: StoreAccount): Promise<void> {
  await IdentityLink.in(tx).where(rowsOf(tx, account)).delete()
}
