import type { Pojo } from 'objection'
import { availableUnits, type StockLevels } from '#shared/inventory/stock-level.ts'
import { StoreModel } from '#shared/platform/db/model.ts'

/** One thing that can be bought: a product in one combination of its options. Prices in minor units, weights in grams. */
export class ProductVariant extends StoreModel implements StockLevels {
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
  declare readonly stockOnHand: number
  declare readonly stockAllocated: number
  declare readonly stockHeld: number
  declare backorder: boolean
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null

  get stockAvailable(): number {
    return availableUnits(this)
  }

  /** Leaves out the stock: only inventory writes it. A new row has none. */
  override $formatDatabaseJson(json: Pojo): Pojo {
    const {
      stock_on_hand: _,
      stock_allocated: __,
      stock_held: ___,
      ...columns
    } = super.$formatDatabaseJson(json)
    return columns
  }
}
