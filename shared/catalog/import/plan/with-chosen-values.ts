import type { VariantRow } from '#shared/catalog/import/rows/rows.ts'
import type { ProductOption } from '#shared/catalog/product.ts'
import { optionValue } from '#shared/catalog/variant.ts'

/** Returns the options with all values of variants: first the existing values, then new ones as in the file. */
export function withChosenValues(
  names: readonly (string | null)[],
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
