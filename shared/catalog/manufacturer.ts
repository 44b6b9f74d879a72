import { StoreModel } from '../platform/model.ts'

/** Who makes a product. Its name is unique in the store. */
export class Manufacturer extends StoreModel {
  static override tableName = 'manufacturers'

  declare name: string
  declare createdAt: Date
}
