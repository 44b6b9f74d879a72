import { StoreModel } from '#shared/platform/db/model.ts'

/** Someone with an account in a store. Without a password hash, another way in was chosen. */
export class Customer extends StoreModel {
  static override tableName = 'customers'

  declare email: string
  /** The form in which addresses are compared; unique in the store. */
  declare emailNormalized: string
  declare passwordHash: string | null
  declare firstname: string
  declare lastname: string
  declare telephone: string | null
  declare acceptsMarketing: boolean
  /** BCP 47: what the customer's mails are written in; null for the store's default. */
  declare language: string | null
  /** When the address was proven to be the customer's. */
  declare verifiedAt: Date | null
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
