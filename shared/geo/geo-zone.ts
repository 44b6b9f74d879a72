import { StoreModel } from '#shared/platform/db/model.ts'

/** Places that a store treats alike, for shipping and for tax. */
export class GeoZone extends StoreModel {
  static override tableName = 'geo_zones'

  declare name: string
  declare description: string
  declare createdAt: Date
  declare updatedAt: Date
}
