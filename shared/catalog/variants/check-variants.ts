import { type Fault, ValidationError } from '#shared/platform/validation.ts'
import type { ProductOption } from '../product.ts'

interface Choice {
  sku: string
  optionValues: Record<string, string>
}

// A report of every fault of a thousand variants would help nobody.
const MOST_FAULTS = 20

const fault = (loc: Fault['loc'], msg: string): Fault => ({ loc, msg, type: 'value_error' })

/** Refuses a product (422) that has no such set of variants: see `optionFaults` and `variantFaults`. */
export function checkVariants(options: ProductOption[], variants: Choice[]): void {
  const faults = [...optionFaults(options), ...variantFaults(options, variants)]
  if (faults.length) throw new ValidationError(faults.slice(0, MOST_FAULTS))
}

/** What is wrong with options by themselves: each name, and each of its values, stands once. */
export const optionFaults = (options: ProductOption[]): Fault[] => [
  ...repeated(options.map(({ name }) => name)).map((i) =>
    fault(['options', i, 'name'], 'Name each option once'),
  ),
  ...options.flatMap(({ values }, i) =>
    repeated(values).map((j) => fault(['options', i, 'values', j], 'Name each value once')),
  ),
]

/** What keeps variants from fitting options: each chooses one value of every option, as no other does, under an own SKU. */
export function variantFaults(options: ProductOption[], variants: Choice[]): Fault[] {
  if (options.length > 0 && variants.length === 0)
    return [fault(['variants'], 'A product with options needs its variants')]
  return [
    ...variants.flatMap((variant, i) => choiceFaults(options, variant, i)),
    ...repeated(variants.map(({ sku }) => sku)).map((i) =>
      fault(['variants', i, 'sku'], 'Use each SKU once'),
    ),
    ...repeated(variants.map((variant) => combination(options, variant))).map((i) =>
      fault(['variants', i, 'option_values'], 'Another variant has this combination of options'),
    ),
  ]
}

function choiceFaults(options: ProductOption[], { optionValues }: Choice, index: number): Fault[] {
  const at = (name: string) => ['variants', index, 'option_values', name]
  const missing = options
    .filter(({ name, values }) => !values.includes(optionValues[name] ?? ''))
    .map(({ name, values }) => fault(at(name), `Choose one of ${values.slice(0, 10).join(', ')}`))
  const unknown = Object.keys(optionValues)
    .filter((name) => !options.some((option) => option.name === name))
    .map((name) => fault(at(name), 'The product has no such option'))
  return [...missing, ...unknown]
}

const combination = (options: ProductOption[], { optionValues }: Choice): string =>
  JSON.stringify(options.map(({ name }) => optionValues[name]))

/** Where in the list a text stands that stood before. */
function repeated(texts: string[]): number[] {
  const seen = new Set<string>()
  return texts.flatMap((text, i) => (seen.size === seen.add(text).size ? [i] : []))
}
