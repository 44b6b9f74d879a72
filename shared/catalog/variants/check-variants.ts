import type { ProductOption, WholeProduct } from '#shared/catalog/product.ts'
import type { ProductVariant } from '#shared/catalog/variant.ts'
import { assertEndsAfter, type Fault, ValidationError } from '#shared/platform/validation.ts'

interface OptionChoice {
  sku: string
  optionValues: Record<string, string>
}

// A product can have a thousand invalid variants; the first faults are enough.
const MAX_FAULTS = 20

const fault = (loc: Fault['loc'], msg: string): Fault => ({ loc, msg, type: 'value_error' })

/** Throws 422 for the faults of `optionFaults` and `variantFaults`. */
export function checkVariants(options: ProductOption[], variants: OptionChoice[]): void {
  const faults = [...optionFaults(options), ...variantFaults(options, variants)]
  if (faults.length) throw new ValidationError(faults.slice(0, MAX_FAULTS))
}

/** Returns the faults of options themselves: repeated names or values. */
export const optionFaults = (options: ProductOption[]): Fault[] => [
  ...findRepeated(options.map(({ name }) => name)).map((i) =>
    fault(['options', i, 'name'], 'Name each option once'),
  ),
  ...options.flatMap(({ values }, i) =>
    findRepeated(values).map((j) => fault(['options', i, 'values', j], 'Name each value once')),
  ),
]

/**
 * Returns the faults of variants. Each needs a value of every option, a unique combination of values, and a unique SKU.
 */
export function variantFaults(options: ProductOption[], variants: OptionChoice[]): Fault[] {
  if (options.length > 0 && variants.length === 0)
    return [fault(['variants'], 'A product with options needs variants')]
  const choices = options.map(toChoices)
  return [
    ...variants.flatMap((variant, i) => choiceFaults(choices, variant, i)),
    ...findRepeated(variants.map(({ sku }) => sku)).map((i) =>
      fault(['variants', i, 'sku'], 'Use each SKU once'),
    ),
    ...findRepeated(variants.map((variant) => combination(options, variant))).map((i) =>
      fault(['variants', i, 'option_values'], 'Another variant has this combination of options'),
    ),
  ]
}

interface Choices {
  name: string
  values: ReadonlySet<string>
  advice: string
}

// Write the advice once: a thousand variants with ten wrong values each would write 25 MB.
const toChoices = ({ name, values }: ProductOption): Choices => ({
  name,
  values: new Set(values),
  advice: `Choose one of ${values.slice(0, 10).join(', ')}`,
})

function choiceFaults(choices: Choices[], { optionValues }: OptionChoice, index: number): Fault[] {
  const at = (name: string) => ['variants', index, 'option_values', name]
  const missing = choices
    .filter(({ name, values }) => !values.has(optionValues[name] ?? ''))
    .map(({ name, advice }) => fault(at(name), advice))
  const unknown = Object.keys(optionValues)
    .filter((name) => !choices.some((choice) => choice.name === name))
    .map((name) => fault(at(name), 'The product has no such option'))
  return [...missing, ...unknown]
}

const combination = (options: ProductOption[], { optionValues }: OptionChoice): string =>
  JSON.stringify(options.map(({ name }) => optionValues[name]))

/** Returns the indexes of repeated texts. */
function findRepeated(texts: string[]): number[] {
  const seen = new Set<string>()
  return texts.flatMap((text, i) => {
    if (seen.has(text)) return [i]
    seen.add(text)
    return []
  })
}

/**
 * Throws 422 for a variant that does not match the product's options and other variants, or whose sale ends before it
 * starts.
 */
export function checkVariant(variant: ProductVariant, { product, variants }: WholeProduct): void {
  assertEndsAfter(['sale_ends_at'], variant.saleStartsAt, variant.saleEndsAt)
  const others = variants.filter(({ id }) => id !== variant.id)
  // Keep only the faults of this variant, with paths within it.
  const faults = variantFaults(product.options, [...others, variant]).flatMap(({ loc, ...fault }) => {
    const [, index, ...rest] = loc
    return index === others.length ? { ...fault, loc: rest } : []
  })
  if (faults.length) throw new ValidationError(faults)
}
