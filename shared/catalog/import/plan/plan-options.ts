import { type Header, optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import { DEFAULT_TITLE } from '#shared/catalog/import/rows/read-variant-cells.ts'
import type { VariantRow } from '#shared/catalog/import/rows/rows.ts'
import type { ProductOption } from '#shared/catalog/product.ts'
import { optionValue } from '#shared/catalog/variant.ts'
import { type RowNote, rowFault } from '#shared/imports/file/cells.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import type { KnownProduct } from './known-catalog.ts'

/** The option of each option column; null: no option. */
export type OptionNames = (string | null)[]

/**
 * The options of a product: the ones of its first row, else the existing ones. The options of an existing product can
 * change only when the file has all of its variants; a variant without values for the new options could not be chosen.
 */
export function planOptions(
  lead: ImportRow,
  rows: ImportRow[],
  before: KnownProduct | null,
  header: Header,
): { names: OptionNames } | { faults: RowNote[] } {
  const names = namesOf(lead, before)
  const given = names.filter((name) => name !== null)
  const twice = names.findIndex((name, place) => name !== null && names.indexOf(name) < place)
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

const fieldOf = (place: number, header: Header) => columnNameIn(header, optionColumn(place, 'name'))

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
  return `The product has other options (${has}), and its variant ${left.sku} is not in the file. To change the options, put all variants into the file`
}

/** The options with all values of variants: existing values in their order, then new ones in file order. */
export function withChosenValues(
  names: OptionNames,
  before: ProductOption[],
  variants: Pick<VariantRow, 'optionValues'>[],
): ProductOption[] {
  return names
    .filter((name) => name !== null)
    .map((name) => {
      const values = new Set(before.find((option) => option.name === name)?.values)
      for (const { optionValues } of variants) {
        const value = optionValue(optionValues, name)
        if (value) values.add(value)
      }
      return { name, values: [...values] }
    })
}
