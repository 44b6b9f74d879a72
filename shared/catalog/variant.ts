import { setStock } from '#shared/inventory/set-stock.ts'
import { availableUnits, type StockLevels } from '#shared/inventory/stock-level.ts'
import { type Pojo, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { ProductErrors } from './errors.ts'

/**
 * A product in one combination of its options, which buyers put into the cart. Prices are in minor units, weights in
 * grams.
 */
export class ProductVariant extends StoreModel implements StockLevels {
  static override tableName = 'product_variants'
  static override jsonAttributes = ['optionValues', 'metadata']

  declare productId: string
  declare sku: string
  declare position: number
  /** The values by option name: `{ Size: 'Small' }`. Empty if the product has no options. */
  declare optionValues: Record<string, string>
  /** Null for the product's price. */
  declare priceMinor: bigint | null
  declare salePriceMinor: bigint | null
  declare saleStartsAt: Date | null
  declare saleEndsAt: Date | null
  declare barcode: string | null
  declare weightGrams: number | null
  declare readonly stockOnHand: number
  declare readonly stockAllocated: number
  declare readonly stockHeld: number
  /**
   * The time of the last change of the stock; null before the first change. It does not change `updatedAt` or an entity
   * tag.
   */
  declare readonly stockChangedAt: Date | null
  declare backorder: boolean
  declare isActive: boolean
  declare metadata: Metadata
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null

  get stockAvailable(): number {
    return availableUnits(this)
  }

  /** Leaves out the stock, because only inventory writes it. */
  override $formatDatabaseJson(json: Pojo): Pojo {
    const {
      stock_on_hand: _,
      stock_allocated: __,
      stock_held: ___,
      stock_changed_at: ____,
      ...columns
    } = super.$formatDatabaseJson(json)
    return columns
  }
}

/** Returns a variant of a loaded product. Throws `resource.not_found`. */
export function findVariantOf(
  { variants }: { variants: ProductVariant[] },
  variantId: string,
): ProductVariant {
  return assertFound(variants.find(({ id }) => id === variantId.toLowerCase()))
}

/** Inserts variants with their initial stock. Throws `product.sku_taken` with the SKUs. */
export async function insertVariants(tx: StoreTx, variants: ProductVariant[]): Promise<void> {
  const rows = variants.map((variant) => ({ ...variant.$toDatabaseJson(), store_id: tx.storeId }))
  const inserted = await tx.knex('product_variants').insert(rows).onConflict().ignore().returning('sku')
  const insertedSkus = new Set(inserted.map(({ sku }) => sku))
  const taken = variants.map(({ sku }) => sku).filter((sku) => !insertedSkus.has(sku))
  if (taken.length) throw ProductErrors.skuTaken({ skus: taken.slice(0, 10).join(', ') })
  const stocked = variants.filter(({ stockOnHand }) => stockOnHand !== 0)
  await setStock(
    tx,
    stocked.map(({ id, stockOnHand }) => ({ variantId: id, stockOnHand })),
    { reason: 'initial' },
  )
}

/**
 * Returns the value of an option. It reads own properties only, because an option can have a name such as
 * `constructor`.
 */
export const optionValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
