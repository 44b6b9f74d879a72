import { optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import { DEFAULT_TITLE, type VariantCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import { optionValue } from '#shared/catalog/variant.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import type { ProductContext } from './product-context.ts'

/** The value of each option by the option's name. */
export type Choice = Record<string, string>

const NAMELESS = "This value has no option: the product's first row leaves the option's name empty"

/** Returns the value of each option, or faults for values that do not match the product's options. */
export function readChoice(
  line: number,
  cells: VariantCells,
  context: ProductContext,
): { choice: Choice } | { faults: RowNote[] } {
  const { names, header, known, productId } = context
  const existing = known.bySku.get(cells.sku ?? '')
  const kept = existing?.productId === productId ? existing.optionValues : {}
  const faults: RowNote[] = []
  const choice = new Map<string, string>()
  for (let index = 0; index < Math.max(names.length, cells.optionValues.length); index++) {
    const value = cells.optionValues[index] ?? null
    const name = names[index] ?? null
    const column = columnNameIn(header, optionColumn(index, 'value'))
    const chosen = value ?? (name === null ? undefined : optionValue(kept, name))
    if (name !== null && chosen !== undefined) choice.set(name, chosen)
    else if (name !== null) faults.push(rowFault(line, column, `The value of the option ${name} is missing`))
    else if (value !== null && value !== DEFAULT_TITLE) faults.push(rowFault(line, column, NAMELESS, value))
  }
  return faults.length ? { faults } : { choice: Object.fromEntries(choice) }
}
