import { newProduct, newVariant } from '#shared/catalog/import/rows/rows.ts'
import type { ProductOption } from '#shared/catalog/product.ts'
import type { ClaimedKey } from '#shared/imports/claimed-keys.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { KnownProduct, LoadedCatalog } from './known-catalog.ts'
import { withChosenValues } from './with-chosen-values.ts'

/** Adds the variants of earlier batches of a dry run, because a dry run saves nothing. */
export function addPlanned({ byId, bySlug, bySku, slugs }: LoadedCatalog, taken: ClaimedKey[]): void {
  const at = now()
  const planned = new Set<KnownProduct>()
  for (const { record: slug, key: sku, details: optionValues } of taken) {
    if (bySku.has(sku)) continue
    const known = bySlug.get(slug) ?? { product: newProduct(slug, at), variants: [], categoryIds: [] }
    planned.add(known)
    const variant = {
      ...newVariant(known.product.id, { sku, position: known.variants.length, at }),
      optionValues,
    }
    known.variants.push(variant)
    bySku.set(sku, variant)
    bySlug.set(slug, known)
    byId.set(known.product.id, known)
    slugs.set(known.product.id, slug)
  }
  // Only once for each product: earlier batches can have planned thousands of its variants, each with a new value.
  for (const known of planned) known.product.options = optionsOf(known)
}

/** Returns the options of the last variant, with the values of all variants. */
function optionsOf({ product, variants }: KnownProduct): ProductOption[] {
  const names = Object.keys(variants.at(-1)?.optionValues ?? {})
  return withChosenValues(names, product.options, variants)
}
