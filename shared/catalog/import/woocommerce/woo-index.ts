import { MAX_OPTIONS } from '#shared/catalog/import/own-format/columns.ts'
import { stableSlug } from '#shared/catalog/slug.ts'
import { type CsvRecord, type FilePosition, isBlank } from '#shared/imports/file/csv-record.ts'
import { UnreadableFile } from '#shared/imports/file/errors.ts'
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

/** SKUs and names of options have at most 100 characters. Of a longer text this start is enough to refuse it. */
const MAX_KEY = 200

/** Returns a copy of the start of a text. A part of a string would hold the whole in memory. */
const truncate = (text: string): string => Buffer.from(text.slice(0, MAX_KEY)).toString()

/** The memory of all different names of options, in bytes: 100,000 of an ordinary length. A shop has some ten. */
const MAX_NAME_BYTES = 16 * 1024 * 1024
/** A character has two bytes, and a string and its entry in the map these in addition. */
const BYTES_PER_NAME = 64

/** Returns a function that returns one copy of each name. Each of 100,000 variations can name 100 attributes. */
function nameInterner(): (name: string) => string {
  const names = new Map<string, string>()
  let bytes = 0
  return (name) => {
    const short = truncate(name)
    const known = names.get(short)
    if (known !== undefined) return known
    bytes += BYTES_PER_NAME + 2 * short.length
    if (bytes > MAX_NAME_BYTES)
      throw new UnreadableFile(
        'The variations of the file have too many different attributes. Split it, and import each part.',
      )
    names.set(short, short)
    return short
  }
}

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
  const { at, id, attributes } = columns
  const intern = nameInterner()
  const products: WooProduct[] = []
  const byKey = new Map<string, WooProduct>()
  const slugs = new Set<string>()
  const variations: { position: RecordPosition; parent: string; options: string[] }[] = []
  let byte = start.byte
  for await (const record of records) {
    const position = { byte, length: record.end.byte - byte, line: record.line }
    byte = record.end.byte
    if (isBlank(record)) continue
    if (products.length + variations.length === MAX_ROWS)
      throw new UnreadableFile(`The file has more than ${MAX_ROWS} rows. Split it, and import each part.`)
    const cell = (index: number | undefined) => (record.cells[index ?? -1] ?? '').trim()
    if (isVariation(cell(at.type))) {
      const named = attributes.filter((one) => cell(one.value) !== '').map((one) => cell(one.name))
      // A product has at most `MAX_OPTIONS` options, so later ones are not used.
      const options = [...new Set(named.filter(Boolean))].slice(0, MAX_OPTIONS).map(intern)
      variations.push({ position, parent: truncate(cell(at.slug)), options })
      continue
    }
    const product = {
      position,
      slug: uniqueSlug(cell(at.name), cell(id) || cell(at.sku), slugs),
      options: [],
      variations: [],
    }
    products.push(product)
    if (cell(id)) byKey.set(truncate(`id:${cell(id)}`), product)
    if (cell(at.sku)) byKey.set(truncate(cell(at.sku)), product)
  }
  const orphans: WooIndex['orphans'] = []
  for (const { position, parent, options } of variations) {
    const product = byKey.get(parent)
    if (!product) orphans.push({ position, parent })
    else {
      product.variations.push(position)
      addOptions(product, options)
    }
  }
  return { products, orphans }
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
