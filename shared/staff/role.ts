import { StoreModel } from '#shared/platform/db/model.ts'

/** A role of a store's own making, beside the presets. Staff members name it as they name a preset. */
export class Role extends StoreModel {
  static override tableName = 'roles'

  declare name: string
  declare rights: string[]
  declare createdAt: Date
  declare updatedAt: Date
}
