import { type Header, optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { DEFAULT_TITLE } from '#shared/catalog/import/rows/read-variant-cells.ts'
import type { VariantRow } from '#shared/catalog/import/rows/rows.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import type { KnownProduct } from './known-catalog.ts'

/** The option of each option column; null for no option. */
export type OptionNames = (string | null)[]

/**
 * Returns the options of a product: those of its first row, or else the existing ones. The options of an existing
 * product can change only if the file has all of its variants: buyers could not choose a variant without values for new
 * options.
 */
export function planOptions(
  lead: ImportRow,
  rows: ImportRow[],
  before: KnownProduct | null,
  header: Header,
): { names: OptionNames } | { faults: RowNote[] } {
  const names = namesOf(lead, before)
  const given = names.filter((name) => name !== null)
  const refuse = (index: number, message: string, value: string) => ({
    faults: [rowFault(lead.line, columnNameIn(header, optionColumn(index, 'name')), message, value)],
  })
  const repeated = names.findIndex((name, index) => name !== null && names.indexOf(name) < index)
  if (repeated >= 0) return refuse(repeated, 'Name each option once', names[repeated] ?? '')
  if (before && !hasSameOptions(before, given)) {
    const missing = findMissingVariant(before, rows)
    if (missing) return refuse(0, otherOptions(before, missing), given.join(', '))
  }
  return { names }
}

const hasSameOptions = ({ product: { options } }: KnownProduct, names: string[]): boolean =>
  options.length === names.length && options.every(({ name }) => names.includes(name))

/** Returns an existing variant that the file does not have. */
function findMissingVariant({ variants }: KnownProduct, rows: ImportRow[]): VariantRow | undefined {
  const skus = new Set(rows.map(({ variant }) => variant?.sku))
  return variants.find(({ sku }) => !skus.has(sku))
}

function namesOf({ product, variant }: ImportRow, before: KnownProduct | null): OptionNames {
  const names = product.optionNames
  const given = names.filter((name) => name !== null)
  if (given.length === 0) return before ? before.product.options.map(({ name }) => name) : []
  const isOnlyTitle = given.length === 1 && given[0] === 'Title'
  const hasDefaultValue = [DEFAULT_TITLE, null, undefined].includes(variant?.optionValues[0])
  const hadTitle = before?.product.options.some(({ name }) => name === 'Title')
  // Shopify writes the option `Title` for a product without options.
  return isOnlyTitle && hasDefaultValue && !hadTitle ? [] : names
}

function otherOptions({ product }: KnownProduct, missing: VariantRow): string {
  const has = product.options.map(({ name }) => name).join(', ') || 'none'
  return (
    `The product has other options (${has}), and its variant ${missing.sku} is not in the file. To change the ` +
    'options, put all variants into the file'
  )
}
