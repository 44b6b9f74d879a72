import { StoreModel } from '../platform/model.ts'

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
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
