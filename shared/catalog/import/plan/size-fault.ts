import { MAX_PRODUCT_BYTES } from '#shared/catalog/emit-product.ts'
import type { ProductRow } from '#shared/catalog/import/rows/rows.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'

// The size in bytes of a variant as JSON without its metadata and option values.
const VARIANT_BYTES = 450

/**
 * Returns a fault if a product with so many variants is too large. Estimates the size that `emitProduct` checks,
 * because the view is made only when the product is saved.
 */
export function sizeFault(
  { nameI18n, descriptionI18n, seo, options, images, tags }: ProductRow,
  variantCount: number,
  { line, field }: { line: number; field: string | null },
): RowNote | null {
  const texts = JSON.stringify([nameI18n, descriptionI18n, seo, options, images, tags])
  if (Buffer.byteLength(texts) + variantCount * VARIANT_BYTES <= MAX_PRODUCT_BYTES) return null
  return rowFault(
    line,
    field,
    `The product and its variants would take more than ${MAX_PRODUCT_BYTES} bytes. Shorten its texts, or divide it`,
  )
}
