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
  const twice = names.findIndex((name, index) => name !== null && names.indexOf(name) < index)
  if (twice >= 0)
    return {
      faults: [rowFault(lead.line, fieldOf(twice, header), 'Name each option once', names[twice] ?? '')],
    }
  if (
    before &&
    !sameSet(
      given,
      before.product.options.map(({ name }) => name),
    )
  ) {
    const skus = new Set(rows.map(({ variant }) => variant?.sku))
    const left = before.variants.find(({ sku }) => !skus.has(sku))
    if (left)
      return {
        faults: [rowFault(lead.line, fieldOf(0, header), otherOptions(before, left), given.join(', '))],
      }
  }
  return { names }
}

const fieldOf = (index: number, header: Header) => columnNameIn(header, optionColumn(index, 'name'))

function namesOf({ product, variant }: ImportRow, before: KnownProduct | null): OptionNames {
  const names = product.optionNames
  const given = names.filter((name) => name !== null)
  if (given.length === 0) return before ? before.product.options.map(({ name }) => name) : []
  const isPlain =
    given.length === 1 &&
    given[0] === 'Title' &&
    [DEFAULT_TITLE, null, undefined].includes(variant?.optionValues[0]) &&
    !before?.product.options.some(({ name }) => name === 'Title')
  return isPlain ? [] : names
}

const sameSet = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))

function otherOptions({ product }: KnownProduct, left: VariantRow): string {
  const has = product.options.map(({ name }) => name).join(', ') || 'none'
  return (
    `The product has other options (${has}), and its variant ${left.sku} is not in the file. To change the options, ` +
    'put all variants into the file'
  )
}
