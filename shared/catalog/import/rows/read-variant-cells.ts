import { optionColumn, type ProductReader } from '#shared/catalog/import/own-format/columns.ts'
import { slugify } from '#shared/catalog/slug.ts'
import { MAX_STOCK } from '#shared/inventory/stock-level.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { ENDS_TOO_EARLY } from '#shared/platform/validation.ts'

/** The option value of a product without options in Shopify's export. */
export const DEFAULT_TITLE = 'Default Title'

/** The variant cells of a row, with prices in minor units. A blank cell is null, and the variant keeps its value. */
export interface VariantCells {
  sku: string | null
  /**
   * The generated SKU for a new variant whose row has none. It is computed only on call, because most rows have a SKU.
   */
  generatedSku(): string
  /** The values of options by position. */
  optionValues: (string | null)[]
  prices: PriceCells
  stockOnHand: number | null
  backorder: boolean | null
  isActive: boolean | null
  barcode: string | null
  weightGrams: number | null
  imageUrl: string | null
}

/** The prices of a row: a price with a sale price, or with a compare-at price. */
export interface PriceCells {
  priceMinor: bigint | null
  /** Whether the file has Shopify's compare-at column. Then a blank cell ends the sale. */
  comparesPrices: boolean
  compareAtMinor: bigint | null
  salePriceMinor: bigint | null
  saleStartsAt: Date | null
  saleEndsAt: Date | null
}

/** Reads the variant cells of a row. The reader collects the faults. */
export function readVariantCells(reader: ProductReader, slug: string): VariantCells {
  const optionValues = reader.header.optionIndexes.map((index) =>
    reader.text(optionColumn(index, 'value'), 255),
  )
  return {
    sku: reader.code('sku', 100),
    generatedSku: () => generateSku(slug, optionValues),
    optionValues,
    prices: readPrices(reader),
    stockOnHand: readStock(reader),
    backorder: readBackorder(reader),
    isActive: reader.boolean('variant_is_active'),
    barcode: reader.code('barcode', 100),
    weightGrams: reader.wholeNumber('weight_grams'),
    imageUrl: reader.url('variant_image_url'),
  }
}

function readPrices(reader: ProductReader): PriceCells {
  const saleStartsAt = reader.time('sale_starts_at')
  const saleEndsAt = reader.time('sale_ends_at')
  if (saleStartsAt && saleEndsAt && saleEndsAt <= saleStartsAt) reader.fault('sale_ends_at', ENDS_TOO_EARLY)
  return {
    priceMinor: reader.amount('price'),
    comparesPrices: reader.header.format === 'shopify' || reader.has('compare_at_price'),
    compareAtMinor: reader.amount('compare_at_price'),
    salePriceMinor: reader.amount('sale_price'),
    saleStartsAt,
    saleEndsAt,
  }
}

/** Reads the stock. It is below zero if more was sold than there was. */
function readStock(reader: ProductReader): number | null {
  const units = reader.integer('stock_on_hand')
  if (units === null) return null
  if (units > MAX_STOCK) return reader.fault('stock_on_hand', `Use at most ${MAX_STOCK}`, `${units}`)
  if (units < -MAX_STOCK) return reader.fault('stock_on_hand', `Use at least -${MAX_STOCK}`, `${units}`)
  if (units < 0)
    reader.warn(
      'stock_on_hand',
      'The stock is below zero, because more was sold than there is. It is imported unchanged',
      `${units}`,
    )
  return units
}

/** Reads whether backorder is allowed: by the policy `continue`, or for a variant without an inventory tracker. */
function readBackorder(reader: ProductReader): boolean | null {
  const backorder = reader.boolean('backorder')
  const policy = reader.word('inventory_policy', ['deny', 'continue', 'false', 'true'])
  const tracked = reader.has('inventory_tracker') ? !reader.isBlank('inventory_tracker') : null
  if (backorder !== null || (policy === null && tracked === null)) return backorder
  return policy === 'continue' || policy === 'true' || tracked === false
}

const MAX_READABLE = 80

/**
 * Generates a SKU from the product's slug and the option values, e.g. `classic-varsity-top-small-0d5c1f9a`. It is the
 * same at each import and unique for each row.
 */
function generateSku(slug: string, optionValues: (string | null)[]): string {
  // Pad to Shopify's three options, so that a file with fewer option columns yields the same SKU.
  const firstThree = [0, 1, 2].map((index) => optionValues[index] ?? null)
  const values = [...firstThree, ...optionValues.slice(3)].map((value) =>
    value === DEFAULT_TITLE ? '' : (value ?? ''),
  )
  const readable = slugify([slug, ...values].join(' ')).slice(0, MAX_READABLE)
  const hash = sha256(JSON.stringify([slug, ...values]))
    .toString('hex')
    .slice(0, 8)
  return `${readable}-${hash}`
}
