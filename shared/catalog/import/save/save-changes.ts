import { isDeepStrictEqual } from 'node:util'
import { productCreated, productUpdated } from '#shared/catalog/events.ts'
import type { PlannedVariant } from '#shared/catalog/import/plan/plan-variants.ts'
import { findPriceRules } from '#shared/catalog/price-rule.ts'
import { repriceProducts } from '#shared/catalog/prices/reprice-products.ts'
import { Product } from '#shared/catalog/product.ts'
import { findAttributes } from '#shared/catalog/product-attribute.ts'
import { findRelatedIds } from '#shared/catalog/related-product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { viewProduct } from '#shared/catalog/view.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import type { PlacedPlan } from './assign-terms.ts'
import { recordStock } from './record-stock.ts'
import { saveProducts, saveVariants } from './save-products.ts'

interface ImportSettings {
  jobId: string
  currency: string
  language: string
}

/** Returns the plans that differ from the catalog. */
export const changesOf = (plans: PlacedPlan[]): ProductChange[] => plans.flatMap(changeOf)

/**
 * Saves changes with one statement for each table, and two for products. Each changed product emits `product.created`
 * or `product.updated`. An unchanged product is not written.
 */
export async function saveChanges(
  tx: StoreTx,
  changes: ProductChange[],
  settings: ImportSettings,
): Promise<void> {
  if (changes.length === 0) return

  const variants = changes.flatMap((change) => change.variants)
  await saveProducts(
    tx,
    changes.map(({ plan }) => plan),
  )
  await saveVariants(
    tx,
    variants.map(({ variant }) => variant),
  )
  await addToCategories(tx, changes)
  await repriceProducts(
    tx,
    changes.map(({ plan }) => plan.product.id),
  )
  await recordStock(tx, variants, settings.jobId)
  await emitChanges(tx, changes, settings)
  bumpCatalogVersion(tx)
}

export interface ProductChange {
  plan: PlacedPlan
  /** New and changed variants. */
  variants: PlannedVariant[]
}

/** Returns the changes of a plan; empty if nothing differs. */
function changeOf(plan: PlacedPlan): ProductChange[] {
  const { before } = plan
  const variants = plan.variants.filter((one) => !isDeepStrictEqual(one.variant, one.before))
  const ownChanges = !isDeepStrictEqual(plan.product, before?.product)
  const addsCategories = plan.categoryIds.length !== before?.categoryIds.length
  if (variants.length === 0 && !ownChanges && !addsCategories) return []
  const updatedAt = before ? nextUpdatedAt(before.product) : plan.product.updatedAt
  return [
    {
      plan: { ...plan, product: { ...plan.product, updatedAt } },
      variants: variants.map((one) => ({ ...one, variant: { ...one.variant, updatedAt } })),
    },
  ]
}

async function addToCategories(tx: StoreTx, changes: ProductChange[]): Promise<void> {
  const rows = changes.flatMap(({ plan }) => {
    const added = new Set(plan.categoryIds).difference(new Set(plan.before?.categoryIds))
    return [...added].map((id) => ({ store_id: tx.storeId, product_id: plan.product.id, category_id: id }))
  })
  if (rows.length) await tx.knex('product_categories').insert(rows).onConflict().ignore()
}

async function emitChanges(
  tx: StoreTx,
  changes: ProductChange[],
  { currency, language }: ImportSettings,
): Promise<void> {
  const known = changes.flatMap(({ plan }) => plan.before?.product.id ?? [])
  const attributes = known.length ? await findAttributes(tx, known) : new Map()
  const priceRules = known.length ? await findPriceRules(tx, known) : new Map()
  const related = known.length ? await findRelatedIds(tx, known) : new Map()
  const viewOf = (change: ProductChange) => {
    const { id } = change.plan.product
    const parts = {
      attributes: attributes.get(id) ?? [],
      priceRules: priceRules.get(id) ?? [],
      relatedIds: related.get(id) ?? [],
    }
    return viewProduct({ ...afterImport(change), ...parts }, { currency, defaultLanguage: language })
  }
  const views = (created: boolean) =>
    changes.filter(({ plan }) => (plan.before === null) === created).map(viewOf)
  await emitAll(tx, productCreated, views(true))
  await emitAll(tx, productUpdated, views(false))
}

/** Returns the product after the import without reading it again. */
function afterImport({ plan, variants }: ProductChange) {
  const after = new Map((plan.before?.variants ?? []).map((variant) => [variant.id, variant]))
  for (const { variant } of variants) after.set(variant.id, variant)
  return {
    product: Object.assign(new Product(), plan.product),
    variants: [...after.values()]
      .sort((a, b) => a.position - b.position)
      // Not `fromJson`, which takes several times as long and delays the other jobs of this process.
      .map((variant) => Object.assign(new ProductVariant(), variant)),
    categoryIds: plan.categoryIds,
  }
}
