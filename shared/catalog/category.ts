import { StoreModel } from '../platform/model.ts'
import type { Texts } from './product.ts'

/** A shelf of the store; shelves stand in trees. */
export class Category extends StoreModel {
  static override tableName = 'categories'
  static override jsonAttributes = ['nameI18n', 'descriptionI18n']

  declare parentId: string | null
  declare slug: string
  declare nameI18n: Texts
  declare descriptionI18n: Texts
  /** Order among its siblings. */
  declare position: number
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
