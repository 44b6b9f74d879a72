import { StoreModel } from '#shared/platform/db/model.ts'

/** A way to ship, as staff keep it. Amounts in minor units of the store's currency, net. */
export class ShippingMethod extends StoreModel {
  static override tableName = 'shipping_methods'
  static override jsonAttributes = ['nameI18n', 'estimateI18n']

  declare code: string
  declare nameI18n: Record<string, string>
  declare priceMinor: bigint
  /** It costs nothing for goods that come to this or more; null: never. */
  declare freeFromMinor: bigint | null
  /** It carries no more; null: any weight. */
  declare maxWeightGrams: number | null
  /** What it is taxed as; null: as the store's default class. */
  declare taxClassId: string | null
  /** How long it takes, in words. */
  declare estimateI18n: Record<string, string>
  declare position: number
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}
