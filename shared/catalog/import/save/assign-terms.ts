import type { ProductPlan } from '#shared/catalog/import/plan/plan-product.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { categoryKey, findOrCreateCategories } from './find-or-create-categories.ts'
import { findOrCreateManufacturers } from './find-or-create-manufacturers.ts'

/** A plan with the ids of its manufacturer and categories. */
export interface PlacedPlan extends ProductPlan {
  categoryIds: string[]
}

/**
 * Finds or creates the manufacturer and categories of each product. A dry run creates nothing and invents ids for
 * missing ones.
 */
export async function assignTerms(
  tx: StoreTx,
  plans: ProductPlan[],
  { language, dryRun }: { language: string; dryRun: boolean },
): Promise<PlacedPlan[]> {
  const create = !dryRun
  const names = plans.flatMap(({ manufacturer }) => manufacturer ?? [])
  const manufacturers = await findOrCreateManufacturers(tx, names, create)
  const paths = plans.flatMap(({ categories }) => categories)
  const categories = await findOrCreateCategories(tx, paths, { language, create })
  return plans.map((plan) => {
    const { product, manufacturer, before } = plan
    const manufacturerId =
      manufacturer === null ? product.manufacturerId : (manufacturers.get(manufacturer) ?? newId())
    const placed = plan.categories.map((path) => categories.get(categoryKey(path)) ?? newId())
    const categoryIds = [...new Set([...(before?.categoryIds ?? []), ...placed])]
    return { ...plan, product: { ...product, manufacturerId }, categoryIds }
  })
}
