import { StoreModel } from '#shared/platform/db/model.ts'

/** What goods and ways to ship are taxed as. Those without one of their own belong to the store's default one. */
export class TaxClass extends StoreModel {
  static override tableName = 'tax_classes'

  declare name: string
  declare description: string
  declare isDefault: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
