import { StoreModel } from '#shared/platform/db/model.ts'

/** A word that staff describe and sort products by. */
export class Term extends StoreModel {
  declare createdAt: Date
  declare updatedAt: Date
}
