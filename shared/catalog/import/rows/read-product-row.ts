import {
  type CatalogColumn,
  type Header,
  optionColumn,
  type ProductReader,
} from '#shared/catalog/import/own-format/columns.ts'
import { stableSlug } from '#shared/catalog/slug.ts'
import { CellReader, type FileSettings } from '#shared/imports/file/cell-reader.ts'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault, rowWarning } from '#shared/imports/file/row-note.ts'
import { isShort, shortFault, widthFault } from '#shared/imports/file/row-width.ts'
import { BLANK_CELLS, type ProductCells, readProductCells } from './read-product-cells.ts'
import { readVariantCells, type VariantCells } from './read-variant-cells.ts'

export interface ImageCells {
  url: string
  alt: string | null
  position: number | null
}

/** One row of the file, before it is compared with other rows. */
export interface ImportRow {
  line: number
  slug: string
  product: ProductCells
  /** Null if the row has only an image, or its variant cells have faults. */
  variant: VariantCells | null
  image: ImageCells | null
  /** The faults of the variant and the image, and all warnings. */
  notes: RowNote[]
}

/** Reads a row and the slug of its product. Returns a fault if the row belongs to no product. */
export function readProductRow(
  record: CsvRecord,
  file: FileSettings<Header>,
): { row: ImportRow; key: string } | { fault: RowNote } {
  const row = readRow(record, file)
  return 'slug' in row ? { row, key: row.slug } : { fault: row }
}

function readRow(record: CsvRecord, file: FileSettings<Header>): ImportRow | RowNote {
  const { line, fault } = record
  const { header } = file
  if (fault !== undefined) return rowFault(line, null, fault)
  const tooWide = widthFault(record, header)
  if (tooWide) return tooWide
  const row = readWhole(record, file)
  const hasFault =
    !('slug' in row) || row.product.faults.length > 0 || row.notes.some((note) => note.severity === 'error')
  // Rows that were converted from WooCommerce leave out columns, so a short one is complete.
  const isCut = isShort(record, header) && header.format !== 'woocommerce'
  return isCut && (hasFault || isEmpty(row)) ? shortFault(record, header) : row
}

/** Drops the product cells of a row, unless it is the first row of its product with a name: no other ones are read. */
export function withoutRepeatedCells(row: ImportRow, before: readonly ImportRow[]): ImportRow {
  const isNamed = before.some(({ product }) => product.name !== null)
  return row.product.name === null || isNamed ? { ...row, product: BLANK_CELLS } : row
}

const isEmpty = (row: ImportRow | RowNote): boolean => 'slug' in row && !row.variant && !row.image

const MAX_SLUG = 200
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Returns the slug of a handle. A handle that is already a slug stays. */
const slugOf = (handle: string): string =>
  handle.length <= MAX_SLUG && SLUG.test(handle) ? handle : stableSlug(handle, 'product')

function readWhole({ cells, line, warning }: CsvRecord, file: FileSettings<Header>): ImportRow | RowNote {
  const reader = new CellReader(cells, line, file)
  const key: CatalogColumn = reader.has('slug') ? 'slug' : 'name'
  const handle = reader.text(key, 300)
  if (handle === null)
    return (
      reader.faults[0] ??
      rowFault(line, columnNameIn(file.header, key), 'The handle of the product is missing')
    )
  const slug = slugOf(handle)

  const hasVariant = hasVariantCells(reader)
  const variant = hasVariant ? readVariantCells(reader, slug) : null
  const variantIsValid = reader.faults.length === 0
  const image = readImage(reader)
  const product = readProductCells(new CellReader(cells, line, file))
  if (!hasVariant && reader.isBlank('image_url') && isBlank(product))
    reader.fault('price', 'The row has neither a price nor an image')
  const notes = [...reader.faults, ...reader.warnings]
  if (warning !== undefined) notes.push(rowWarning(line, null, warning))
  return { line, slug, product, variant: variantIsValid ? variant : null, image, notes }
}

const isBlank = ({ name, description, tags, isActive, categories, translations }: ProductCells): boolean =>
  [name, description, tags, isActive].every((cell) => cell === null) &&
  categories.length === 0 &&
  translations.length === 0

const VARIANT_COLUMNS: CatalogColumn[] = ['sku', 'price', 'stock_on_hand']

const hasVariantCells = (reader: ProductReader): boolean =>
  VARIANT_COLUMNS.some((column) => !reader.isBlank(column)) ||
  reader.header.optionIndexes.some((index) => !reader.isBlank(optionColumn(index, 'value')))

function readImage(reader: ProductReader): ImageCells | null {
  const url = reader.url('image_url')
  if (url === null) return null
  return { url, alt: reader.text('image_alt', 1_000), position: reader.wholeNumber('image_position') }
}
