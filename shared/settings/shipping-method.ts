import { StoreModel } from '../platform/model.ts'

/** A way to ship. Price in minor units of the store's currency. */
export class ShippingMethod extends StoreModel {
  static override tableName = 'shipping_methods'
  static override jsonAttributes = ['nameI18n', 'estimateI18n']

  declare code: string
  declare nameI18n: Record<string, string>
  declare priceMinor: bigint
  /** What it is taxed as; null: not at all. */
  declare taxClassId: string | null
  /** How long it takes, in words. */
  declare estimateI18n: Record<string, string>
  /** ISO 3166-1 alpha-2; none means everywhere. */
  declare countries: string[]
  declare position: number
  declare isActive: boolean

  shipsTo(country: string): boolean {
    return this.isActive && (this.countries.length === 0 || this.countries.includes(country))
  }
}
