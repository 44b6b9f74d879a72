import { StoreModel } from '#shared/platform/db/model.ts'

/** Someone who runs a store. */
export class StaffMember extends StoreModel {
  static override tableName = 'staff_members'

  declare email: string
  /** The form in which addresses are compared; unique on the platform, by `staff_directory`. */
  declare emailNormalized: string
  declare passwordHash: string
  declare firstname: string
  declare lastname: string
  declare role: string
  /** The store's one owner, whom nobody else may change. */
  declare isOwner: boolean
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
