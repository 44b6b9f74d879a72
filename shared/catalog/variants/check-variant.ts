import { invalid, ValidationError } from '#shared/platform/validation.ts'
import type { WholeProduct } from '../view.ts'
import { variantFaults } from './check-variants.ts'
import type { ProductVariant } from './variant.ts'

/** Refuses (422) a variant that does not fit its product and the product's other variants, or whose sale never opens. */
export function checkVariant(variant: ProductVariant, { product, variants }: WholeProduct): void {
  const { saleStartsAt, saleEndsAt } = variant
  if (saleStartsAt && saleEndsAt && saleEndsAt <= saleStartsAt)
    throw invalid(['sale_ends_at'], 'A sale ends after it starts', saleEndsAt.toISOString())
  const others = variants.filter(({ id }) => id !== variant.id)
  const faults = variantFaults(product.options, [...others, variant]).flatMap(({ loc, ...fault }) => {
    const [, index, ...rest] = loc
    return index === others.length ? { ...fault, loc: rest } : []
  })
  if (faults.length) throw new ValidationError(faults)
}
