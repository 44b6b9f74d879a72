import { StoreModel } from '#shared/platform/db/model.ts'
import type { AccountType } from '../sessions/access-token.ts'

export const LINK_PURPOSES = ['reset_password', 'verify_email', 'change_email'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A link that was mailed to an account's owner and does one thing once. */
export class AccountLink extends StoreModel {
  static override tableName = 'account_links'

  declare purpose: LinkPurpose
  declare accountType: AccountType
  declare accountId: string
  /** The address it was mailed to, where using it makes that the account's; null for other purposes. */
  declare email: string | null
  declare tokenHash: Buffer
  declare createdAt: Date
  declare expiresAt: Date
  declare usedAt: Date | null
}
