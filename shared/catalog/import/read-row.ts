import { stableSlug } from '../slug.ts'
import { CellReader, type RowFault, rowFault } from './cells.ts'
import type { Column, Header } from './columns.ts'
import { type ProductCells, readProductCells } from './read-product-cells.ts'
import type { CsvRecord } from './read-records.ts'
import { readVariantCells, type VariantCells } from './read-variant-cells.ts'

export interface ImageCells {
  url: string
  alt: string | null
  position: number | null
}

/** One row of the file, checked without regard to other rows. */
export interface ImportRow {
  line: number
  slug: string
  product: ProductCells
  /** Null on a row with only an image, and when the variant cells have faults. */
  variant: VariantCells | null
  image: ImageCells | null
  /** The faults of the variant and the image. */
  faults: RowFault[]
}

/** Reads a row. Returns only a fault when the row belongs to no product. */
export function readRow({ cells, line }: CsvRecord, header: Header, currency: string): ImportRow | RowFault {
  if (cells.slice(header.width).some((cell) => cell.trim() !== ''))
    return rowFault(
      line,
      null,
      `The row has ${cells.length} cells and the header ${header.width}: is a quote missing?`,
    )
  const reader = new CellReader(cells, line, header)
  const handle = reader.text('Handle', 255)
  if (handle === null)
    return reader.faults[0] ?? rowFault(line, 'Handle', 'The handle of the product is missing')
  const slug = stableSlug(handle, 'product')

  const variant = hasVariant(reader) ? readVariantCells(reader, slug, currency) : null
  const variantIsValid = reader.faults.length === 0
  const image = readImage(reader)
  if (!hasVariant(reader) && reader.isBlank('Image Src'))
    reader.fault('Variant Price', 'The row has neither a price nor an image')
  const product = readProductCells(new CellReader(cells, line, header))
  return { line, slug, product, variant: variantIsValid ? variant : null, image, faults: reader.faults }
}

const VARIANT_COLUMNS: Column[] = [
  'Variant SKU',
  'Variant Price',
  'Option1 Value',
  'Option2 Value',
  'Option3 Value',
  'Title',
]

const hasVariant = (reader: CellReader): boolean => VARIANT_COLUMNS.some((column) => !reader.isBlank(column))

function readImage(reader: CellReader): ImageCells | null {
  const url = reader.url('Image Src')
  if (url === null) return null
  return { url, alt: reader.text('Image Alt Text', 1_000), position: reader.wholeNumber('Image Position') }
}
