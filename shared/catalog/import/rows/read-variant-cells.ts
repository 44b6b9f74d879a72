import { optionColumn, type ProductReader } from '#shared/catalog/import/own-format/columns.ts'
import { slugify } from '#shared/catalog/slug.ts'
import { MAX_STOCK } from '#shared/inventory/stock-level.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'

/** The option value of a product without options in Shopify's export. */
export const DEFAULT_TITLE = 'Default Title'

/** The variant cells of a row. Prices in minor units. Null: the cell is blank, and the variant keeps its value. */
export interface VariantCells {
  sku: string | null
  /** The SKU of a row without one whose options match no existing variant. Computed when asked: most rows have one. */
  generatedSku(): string
  /** By position. */
  optionValues: (string | null)[]
  prices: PriceCells
  stockOnHand: number | null
  backorder: boolean | null
  isActive: boolean | null
  barcode: string | null
  weightGrams: number | null
  imageUrl: string | null
}

/** The prices of a row: with a sale price, or with a former price to compare with. */
export interface PriceCells {
  priceMinor: bigint | null
  /** The file has Shopify's column: a blank cell then ends the sale. */
  comparesPrices: boolean
  compareAtMinor: bigint | null
  salePriceMinor: bigint | null
  saleStartsAt: Date | null
  saleEndsAt: Date | null
}

/** Reads the variant cells of a row. Faults are collected by the reader. */
export function readVariantCells(reader: ProductReader, slug: string): VariantCells {
  const optionValues = reader.header.optionPlaces.map((place) =>
    reader.text(optionColumn(place, 'value'), 255),
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
  if (saleStartsAt && saleEndsAt && saleEndsAt <= saleStartsAt)
    reader.fault('sale_ends_at', 'The end must be after the start')
  return {
    priceMinor: reader.amount('price'),
    comparesPrices: reader.header.format === 'shopify' || reader.has('compare_at_price'),
    compareAtMinor: reader.amount('compare_at_price'),
    salePriceMinor: reader.amount('sale_price'),
    saleStartsAt,
    saleEndsAt,
  }
}

/** Stock below zero is what was sold beyond it. */
function readStock(reader: ProductReader): number | null {
  const units = reader.integer('stock_on_hand')
  if (units === null || units >= 0) {
    if (units !== null && units > MAX_STOCK)
      return reader.fault('stock_on_hand', `Use at most ${MAX_STOCK}`, `${units}`)
    return units
  }
  if (units < -MAX_STOCK) return reader.fault('stock_on_hand', `Use at least -${MAX_STOCK}`, `${units}`)
  reader.warn(
    'stock_on_hand',
    'The stock is below zero: more is sold than there is. It is imported so',
    `${units}`,
  )
  return units
}

/** Backorder is allowed by the policy `continue`, and for a variant without an inventory tracker. */
function readBackorder(reader: ProductReader): boolean | null {
  const backorder = reader.boolean('backorder')
  const policy = reader.word('inventory_policy', ['deny', 'continue', 'false', 'true'])
  const tracked = reader.has('inventory_tracker') ? !reader.isBlank('inventory_tracker') : null
  if (backorder !== null || (policy === null && tracked === null)) return backorder
  return policy === 'continue' || policy === 'true' || tracked === false
}

const MAX_READABLE = 80

/**
 * The SKU of a row without one, from the slug of its product and its option values. It is equal at every import and
 * unique for each row: `classic-varsity-top-small-0d5c1f9a`.
 */
function generateSku(slug: string, optionValues: (string | null)[]): string {
  const three = [0, 1, 2].map((place) => optionValues[place] ?? null)
  const values = [...three, ...optionValues.slice(3)].map((value) =>
    value === DEFAULT_TITLE ? '' : (value ?? ''),
  )
  const readable = slugify([slug, ...values].join(' ')).slice(0, MAX_READABLE)
  const hash = sha256(JSON.stringify([slug, ...values]))
    .toString('hex')
    .slice(0, 8)
  return `${readable}-${hash}`
}
