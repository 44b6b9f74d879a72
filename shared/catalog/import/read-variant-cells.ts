import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { slugify } from '../slug.ts'
import { type CellReader, OPTION_PLACES } from './cells.ts'

/** The option value of a product without options in Shopify's export. */
export const DEFAULT_TITLE = 'Default Title'

/** The variant cells of a row. Prices in minor units. */
export interface VariantCells {
  /** Null when the cell is blank. */
  sku: string | null
  /** The SKU of a row without one whose options match no existing variant. */
  generatedSku: string
  /** By position, of three. */
  optionValues: (string | null)[]
  priceMinor: bigint
  salePriceMinor: bigint | null
  stockOnHand: number | null
  backorder: boolean | null
  barcode: string | null
  weightGrams: number | null
  imageUrl: string | null
}

/** Reads the variant cells of a row. Faults are collected by the reader. */
export function readVariantCells(reader: CellReader, slug: string, currency: string): VariantCells {
  const optionValues = OPTION_PLACES.map((place) => reader.text(`Option${place} Value`, 255))
  return {
    sku: reader.text('Variant SKU', 100),
    generatedSku: generateSku(slug, optionValues),
    optionValues,
    ...readPrices(reader, currency),
    stockOnHand: reader.wholeNumber('Variant Inventory Qty'),
    backorder: readBackorder(reader),
    barcode: reader.text('Variant Barcode', 100),
    weightGrams: reader.wholeNumber('Variant Grams'),
    imageUrl: reader.url('Variant Image'),
  }
}

/** A price below the compare-at price is a sale price. */
function readPrices(
  reader: CellReader,
  currency: string,
): Pick<VariantCells, 'priceMinor' | 'salePriceMinor'> {
  const price = reader.amount('Variant Price', currency)
  const compareAt = reader.amount('Variant Compare At Price', currency)
  if (reader.isBlank('Variant Price')) reader.fault('Variant Price', 'A variant needs a price')
  return compareAt !== null && price !== null && compareAt > price
    ? { priceMinor: compareAt, salePriceMinor: price }
    : { priceMinor: price ?? 0n, salePriceMinor: null }
}

/** Backorder is allowed by the policy `continue`, and for a variant without an inventory tracker. */
function readBackorder(reader: CellReader): boolean | null {
  const policy = reader.word('Variant Inventory Policy', ['deny', 'continue'])
  const tracked = reader.has('Variant Inventory Tracker')
    ? !reader.isBlank('Variant Inventory Tracker')
    : null
  if (policy === null && tracked === null) return null
  return policy === 'continue' || tracked === false
}

const MAX_READABLE = 80

/**
 * The SKU of a row without one, from the slug of its product and its option values. It is equal at every import and unique
 * for each row: `classic-varsity-top-small-0d5c1f9a`.
 */
function generateSku(slug: string, optionValues: (string | null)[]): string {
  const values = optionValues.map((value) => (value === DEFAULT_TITLE ? '' : (value ?? '')))
  const readable = slugify([slug, ...values].join(' ')).slice(0, MAX_READABLE)
  const hash = sha256(JSON.stringify([slug, ...values]))
    .toString('hex')
    .slice(0, 8)
  return `${readable}-${hash}`
}
