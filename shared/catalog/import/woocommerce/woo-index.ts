import { type CsvRecord, type FilePosition, isBlank } from '#shared/imports/file/read-records.ts'
import { stableSlug } from '../../slug.ts'
import type { WooColumns } from './woo-header.ts'

/** Where a row is in the file. */
export interface RecordPosition {
  byte: number
  length: number
  line: number
}

/** A product of the file with the rows of its variations, which may be anywhere in the file. */
export interface WooProduct {
  place: RecordPosition
  slug: string
  /** The names of the attributes by which its variations differ. */
  options: string[]
  variations: RecordPosition[]
}

export interface WooIndex {
  products: WooProduct[]
  /** Variations whose product is not in the file. */
  orphans: { place: RecordPosition; parent: string }[]
}

export const isVariation = (type: string): boolean => /(^|,)\s*variation/i.test(type)

/**
 * Finds the variations of each product of a file: WooCommerce sorts rows by id, so they can be far apart. It keeps
 * about a hundred bytes a row.
 */
export async function indexWooRows(
  records: AsyncIterable<CsvRecord>,
  start: FilePosition,
  columns: WooColumns,
): Promise<WooIndex> {
  const { at, id, attributes } = columns
  const products: WooProduct[] = []
  const byKey = new Map<string, WooProduct>()
  const slugs = new Set<string>()
  const variations: { place: RecordPosition; parent: string; options: string[] }[] = []
  let byte = start.byte
  for await (const record of records) {
    const place = { byte, length: record.end.byte - byte, line: record.line }
    byte = record.end.byte
    if (isBlank(record)) continue
    const cell = (index: number | undefined) => (record.cells[index ?? -1] ?? '').trim()
    if (isVariation(cell(at.type))) {
      const options = attributes.filter((one) => cell(one.value) !== '').map((one) => cell(one.name))
      variations.push({ place, parent: cell(at.slug), options: options.filter(Boolean) })
      continue
    }
    const product = {
      place,
      slug: uniqueSlug(cell(at.name), cell(id) || cell(at.sku), slugs),
      options: [],
      variations: [],
    }
    products.push(product)
    if (cell(id)) byKey.set(`id:${cell(id)}`, product)
    if (cell(at.sku)) byKey.set(cell(at.sku), product)
  }
  const orphans: WooIndex['orphans'] = []
  for (const { place, parent, options } of variations) {
    const product = byKey.get(parent)
    if (!product) orphans.push({ place, parent })
    else {
      product.variations.push(place)
      product.options = [...new Set([...product.options, ...options])]
    }
  }
  return { products, orphans }
}

/** The slug of a name. Of products with one name the later ones have their id in it. */
function uniqueSlug(name: string, key: string, taken: Set<string>): string {
  const plain = stableSlug(name || key, 'product')
  const slug = taken.has(plain) ? stableSlug(`${name} ${key}`, 'product') : plain
  taken.add(slug)
  return slug
}
