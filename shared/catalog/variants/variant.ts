import { StoreModel } from '#shared/platform/db/model.ts'

/** One thing that can be bought: a product in one combination of its options. Prices in minor units, weights in grams. */
export class ProductVariant extends StoreModel {
  static override tableName = 'product_variants'
  static override jsonAttributes = ['optionValues']

  declare productId: string
  declare sku: string
  declare position: number
  /** By option name: `{ Size: 'Small' }`. Empty where the product has no options. */
  declare optionValues: Record<string, string>
  /** Null: the product's price. */
  declare priceMinor: bigint | null
  declare salePriceMinor: bigint | null
  declare saleStartsAt: Date | null
  declare saleEndsAt: Date | null
  declare barcode: string | null
  declare weightGrams: number | null
  declare stockOnHand: number
  /** Sold and not yet shipped. */
  declare stockAllocated: number
  /** In checkouts under way. */
  declare stockHeld: number
  declare backorder: boolean
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null

  /** Units that can still be promised; below zero when more was sold on backorder than there is. */
  get stockAvailable(): number {
    return this.stockOnHand - this.stockAllocated - this.stockHeld
  }
}
