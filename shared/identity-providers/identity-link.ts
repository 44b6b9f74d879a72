import type { AccountType } from '#shared/identity/principal.ts'
import { StoreModel } from '#shared/platform/db/model.ts'

/** Whose account somebody at a provider signs in to. */
export class IdentityLink extends StoreModel {
  static override tableName = 'identity_links'

  declare providerId: string
  declare subject: string
  declare accountType: AccountType
  declare accountId: string
  declare createdAt: Date
}
