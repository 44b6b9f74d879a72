import { slugify } from '../slug.ts'
import { CellReader, type RowFault, rowFault } from './cells.ts'
import type { Column, Header } from './columns.ts'
import { generateSku } from './generate-sku.ts'
import type { CsvRecord } from './read-records.ts'

/** What a row says of its product. Null: nothing, which leaves the product as it is. */
export interface ProductCells {
  title: string | null
  html: string | null
  vendor: string | null
  type: string | null
  tags: string[] | null
  isActive: boolean | null
  seoTitle: string | null
  seoDescription: string | null
  /** By position, of three. */
  optionNames: (string | null)[]
  faults: RowFault[]
}

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

export interface ImageCells {
  url: string
  alt: string | null
  position: number | null
}

/** One row of the file, read and checked as far as it can be by itself. */
export interface ImportRow {
  line: number
  slug: string
  product: ProductCells
  /** Null on a row for a picture alone, and where the variant's cells are at fault. */
  variant: VariantCells | null
  image: ImageCells | null
  /** Of the variant and the picture. */
  faults: RowFault[]
}

/** Reads a row; when even its product cannot be told, answers the fault alone. */
export function readRow({ cells, line }: CsvRecord, header: Header, currency: string): ImportRow | RowFault {
  if (cells.slice(header.width).some((cell) => cell.trim() !== ''))
    return rowFault(
      line,
      null,
      `The row has ${cells.length} cells and the header ${header.width}: is a quote missing?`,
    )
  const reader = new CellReader(cells, line, header)
  const slug = slugOf(reader.text('Handle', 255))
  if (!slug) return reader.faults[0] ?? rowFault(line, 'Handle', 'Say which product the row belongs to')

  const variant = hasVariant(reader) ? readVariant(reader, slug, currency) : null
  const variantIsSound = reader.faults.length === 0
  const image = readImage(reader)
  if (!hasVariant(reader) && reader.isBlank('Image Src'))
    reader.fault('Variant Price', 'The row has neither a price nor a picture')
  const product = readProduct(new CellReader(cells, line, header))
  return { line, slug, product, variant: variantIsSound ? variant : null, image, faults: reader.faults }
}

/** The handle as the product's address; one without Latin letters keeps its own characters, escaped. */
function slugOf(handle: string | null): string | null {
  if (handle === null) return null
  return slugify(handle) || `product-${Buffer.from(handle).toString('hex').slice(0, 150)}`
}

const OF_VARIANT: Column[] = [
  'Variant SKU',
  'Variant Price',
  'Option1 Value',
  'Option2 Value',
  'Option3 Value',
  'Title',
]

const hasVariant = (reader: CellReader): boolean => OF_VARIANT.some((column) => !reader.isBlank(column))

const PLACES = [1, 2, 3] as const

function readProduct(reader: CellReader): ProductCells {
  const published = reader.boolean('Published')
  const status = reader.word('Status', ['active', 'draft', 'archived'])
  return {
    title: reader.text('Title', 255),
    html: reader.text('Body (HTML)', 100_000),
    vendor: reader.text('Vendor', 255),
    type: reader.text('Type', 255),
    tags: readTags(reader),
    isActive:
      published === null && status === null ? null : published !== false && (status ?? 'active') === 'active',
    seoTitle: reader.text('SEO Title', 500),
    seoDescription: reader.text('SEO Description', 2_000),
    optionNames: PLACES.map((place) => reader.text(`Option${place} Name`, 100)),
    faults: reader.faults,
  }
}

const MOST_TAGS = 250
const LONGEST_TAG = 100

function readTags(reader: CellReader): string[] | null {
  const text = reader.text('Tags', 20_000)
  if (text === null) return null
  const tags = [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean)
  if (tags.length > MOST_TAGS) return reader.fault('Tags', `Use at most ${MOST_TAGS} tags`, text)
  const long = tags.find((tag) => tag.length > LONGEST_TAG)
  return long ? reader.fault('Tags', `Use at most ${LONGEST_TAG} characters a tag`, long) : tags
}

function readVariant(reader: CellReader, slug: string, currency: string): VariantCells {
  const optionValues = PLACES.map((place) => reader.text(`Option${place} Value`, 255))
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

function readImage(reader: CellReader): ImageCells | null {
  const url = reader.address('Image Src')
  if (url === null) return null
  return { url, alt: reader.text('Image Alt Text', 1_000), position: reader.wholeNumber('Image Position') }
}
