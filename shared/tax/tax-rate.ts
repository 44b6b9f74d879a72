import { StoreModel } from '#shared/platform/db/model.ts'

/** A tax on what belongs to a class, in a geo zone. */
export class TaxRate extends StoreModel {
  static override tableName = 'tax_rates'

  declare taxClassId: string
  /** Null: everywhere. */
  declare geoZoneId: string | null
  declare name: string
  /** Parts per million: 190,000 is 19 %. */
  declare ratePpm: number
  /** Of a class's rates of one priority, one applies to a place: the one whose geo zone takes it in most closely. */
  declare priority: number
  /** On the amount with the taxes of lower priorities, not on the amount alone. */
  declare isCompound: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
