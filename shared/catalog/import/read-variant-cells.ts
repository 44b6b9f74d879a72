import { type CellReader, OPTION_PLACES } from './cells.ts'
import { generateSku } from './generate-sku.ts'

/** What a row says of the variant on it. Prices in minor units. */
export interface VariantCells {
  /** Null where the row has none. */
  sku: string | null
  /** The SKU it gets when it has none and is not known by its options. */
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

/** Reads the variant of a row; what is wrong with it stands in the reader's faults. */
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
    imageUrl: reader.address('Variant Image'),
  }
}

/** A price below the one to compare it with is a sale. */
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

/** Stock that nobody counts may be sold without end, as may what is to be sold past its stock. */
function readBackorder(reader: CellReader): boolean | null {
  const policy = reader.word('Variant Inventory Policy', ['deny', 'continue'])
  const tracked = reader.has('Variant Inventory Tracker')
    ? !reader.isBlank('Variant Inventory Tracker')
    : null
  if (policy === null && tracked === null) return null
  return policy === 'continue' || tracked === false
}
