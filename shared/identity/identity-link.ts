import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type AccountType, rowsOf, type StoreAccount } from './principal.ts'

/** Links an identity at a provider to an account. */
export class IdentityLink extends StoreModel {
  static override tableName = 'identity_links'

  declare providerId: string
  declare subject: string
  declare accountType: AccountType
  declare accountId: string
  declare createdAt: Date
}

/**
 * Links an identity to an account. Returns the link of the identity, and whether it is new. The link is undefined if
 * the account is linked to another identity at this provider.
 */
export async function linkAccount(
  tx: StoreTx,
  identity: Pick<IdentityLink, 'providerId' | 'subject'>,
  { type, id }: StoreAccount,
): Promise<{ link: IdentityLink | undefined; isNew: boolean }> {
  const { providerId, subject } = identity
  const linkId = newId()
  // A conflict means that the subject or the account is linked already.
  await IdentityLink.in(tx)
    .insert({ id: linkId, ...identity, accountType: type, accountId: id, createdAt: now() })
    .onConflict()
    .ignore()
  const link = await IdentityLink.in(tx).findOne({ provider_id: providerId, subject })
  return { link, isNew: link?.id === linkId }
}

/** Deletes one link of an account. The caller has locked the account. */
export async function deleteIdentityLink(tx: StoreTx, id: string): Promise<void> {
  await IdentityLink.in(tx).deleteById(id)
}

/** Deletes all links of an account, and returns their number. The caller has locked or deleted the account. */
export const unlinkAccount = async (tx: StoreTx, account: StoreAccount): Promise<number> =>
  IdentityLink.in(tx).where(rowsOf(tx, account)).delete()
