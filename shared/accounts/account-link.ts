import { StoreModel } from '../platform/model.ts'
import type { AccountType } from './access-token.ts'

export type LinkPurpose = 'reset_password' | 'verify_email'

/** A link that was mailed to an account's owner and does one thing once. */
export class AccountLink extends StoreModel {
  static override tableName = 'account_links'

  declare purpose: LinkPurpose
  declare accountType: AccountType
  declare accountId: string
  declare tokenHash: Buffer
  declare createdAt: Date
  declare expiresAt: Date
  declare usedAt: Date | null
}
