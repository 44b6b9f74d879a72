import { MAX_OPTIONS } from '#shared/catalog/import/own-format/columns.ts'
import { stableSlug } from '#shared/catalog/slug.ts'
import { type CsvRecord, type FilePosition, isBlank } from '#shared/imports/file/csv-record.ts'
import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { nameInterner, truncate } from './name-interner.ts'
import type { WooColumns } from './woo-header.ts'

/** The position of a row in the file. */
export interface RecordPosition {
  byte: number
  length: number
  line: number
}

/** A product of the file with the rows of its variations, which may be anywhere in the file. */
export interface WooProduct {
  position: RecordPosition
  slug: string
  /** The names of the attributes in which its variations differ; at most `MAX_OPTIONS`. */
  options: string[]
  variations: RecordPosition[]
}

export interface WooIndex {
  products: WooProduct[]
  /** The variations whose product is not in the file. */
  orphans: { position: RecordPosition; parent: string }[]
}

/** A file of 50 MB can have 16 million rows, whose index would not fit into the memory of a worker. */
const MAX_ROWS = 100_000

export const isVariation = (type: string): boolean => /(^|,)\s*variation/i.test(type)

/**
 * Finds the variations of each product of a file. WooCommerce sorts rows by id, so variations can be far from their
 * product. It keeps some 350 bytes for each row. Throws `UnreadableFile` past `MAX_ROWS`.
 */
export async function indexWooRows(
  records: AsyncIterable<CsvRecord>,
  start: FilePosition,
  columns: WooColumns,
): Promise<WooIndex> {
  const { products, byKey, variations } = await readRows(records, start, columns)
  return { products, orphans: attachVariations(variations, byKey) }
}

/** A variation whose product is not found yet. */
interface Variation {
  position: RecordPosition
  /** The id or the SKU of its product. */
  parent: string
  options: string[]
}

interface WooRows {
  products: WooProduct[]
  /** The products by their ids and their SKUs. */
  byKey: Map<string, WooProduct>
  variations: Variation[]
}

/** Reads the rows of a file in their sequence. */
async function readRows(
  records: AsyncIterable<CsvRecord>,
  start: FilePosition,
  columns: WooColumns,
): Promise<WooRows> {
  const rows: WooRows = { products: [], byKey: new Map(), variations: [] }
  const { products, variations } = rows
  const intern = nameInterner()
  const slugs = new Set<string>()
  let byte = start.byte
  for await (const record of records) {
    const position = { byte, length: record.end.byte - byte, line: record.line }
    byte = record.end.byte
    if (isBlank(record)) continue
    if (products.length + variations.length === MAX_ROWS)
      throw new UnreadableFile(`The file has more than ${MAX_ROWS} rows. Split it, and import each part.`)
    const cell: ReadCell = (index) => (record.cells[index ?? -1] ?? '').trim()
    if (isVariation(cell(columns.at.type))) variations.push(readVariation(position, cell, columns, intern))
    else addProduct(rows, position, productCells(cell, columns), slugs)
  }
  return rows
}

/** Returns the text of a cell of one row; empty for a column that the file does not have. */
type ReadCell = (index: number | undefined) => string

function readVariation(
  position: RecordPosition,
  cell: ReadCell,
  { at, attributes }: WooColumns,
  intern: (name: string) => string,
): Variation {
  const named = attributes.filter((one) => cell(one.value) !== '').map((one) => cell(one.name))
  // A product has at most `MAX_OPTIONS` options, so later ones are not used.
  const options = [...new Set(named.filter(Boolean))].slice(0, MAX_OPTIONS).map(intern)
  return { position, parent: truncate(cell(at.slug)), options }
}

const productCells = (cell: ReadCell, { at, id }: WooColumns) => ({
  name: cell(at.name),
  id: cell(id),
  sku: cell(at.sku),
})

function addProduct(
  { products, byKey }: WooRows,
  position: RecordPosition,
  { name, id, sku }: ReturnType<typeof productCells>,
  slugs: Set<string>,
): void {
  const product = { position, slug: uniqueSlug(name, id || sku, slugs), options: [], variations: [] }
  products.push(product)
  if (id) byKey.set(truncate(`id:${id}`), product)
  if (sku) byKey.set(truncate(sku), product)
}

/** Adds the variations to their products. Returns those whose product is not in the file. */
function attachVariations(
  variations: readonly Variation[],
  byKey: ReadonlyMap<string, WooProduct>,
): WooIndex['orphans'] {
  const orphans: WooIndex['orphans'] = []
  for (const { position, parent, options } of variations) {
    const product = byKey.get(parent)
    if (!product) orphans.push({ position, parent })
    else {
      product.variations.push(position)
      addOptions(product, options)
    }
  }
  return orphans
}

/**
 * Adds options up to the most that a product has. Hostile files name another one in each of a million variations.
 */
function addOptions({ options }: WooProduct, names: readonly string[]): void {
  for (const name of names) {
    if (options.length >= MAX_OPTIONS) return
    if (!options.includes(name)) options.push(name)
  }
}

/** Returns a unique slug for a name. Later products with the same name get their id added. */
function uniqueSlug(name: string, key: string, taken: Set<string>): string {
  const plain = stableSlug(name || key, 'product')
  const slug = taken.has(plain) ? stableSlug(`${name} ${key}`, 'product') : plain
  taken.add(slug)
  return slug
}
