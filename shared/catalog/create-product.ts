import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { pickText } from '#shared/platform/text.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import type { Store } from '#shared/stores/store.ts'
import { buildProduct } from './assemble-product.ts'
import { checkReferences } from './check-references.ts'
import { ProductErrors } from './errors.ts'
import { productCreated } from './events.ts'
import type { NewProduct } from './new-product.ts'
import { checkPriceRules, replacePriceRules } from './prices/price-rule.ts'
import { repriceProducts } from './prices/reprice-products.ts'
import type { Product } from './product.ts'
import { assignAttributes, replaceAttributes } from './product-attribute.ts'
import { insertProductCategories } from './product-category.ts'
import { checkRelated, replaceRelated } from './related-product.ts'
import { searchColumns } from './search-columns.ts'
import { slugCandidates } from './slug.ts'
import { toConflict } from './taken-error.ts'
import { checkVariants } from './variants/check-variants.ts'
import { insertVariants } from './variants/insert-variants.ts'
import { viewProduct, type WholeProduct } from './view.ts'

/**
 * Creates a product with its variants, categories and first stock. Without variants a product gets one; without a
 * slug, one of its name. Throws `product.sku_taken`, `product.slug_taken`, and 422 for what does not fit together.
 */
export async function createProduct(tx: StoreTx, store: Store, draft: NewProduct): Promise<WholeProduct> {
  checkVariants(draft.options, draft.variants)
  checkPriceRules(draft.priceRules)
  await checkReferences(tx, draft)
  await checkRelated(tx, draft.relatedIds)
  const attributes = await assignAttributes(tx, draft.attributes)

  const [plain, certain] = slugCandidates(
    pickText(draft.nameI18n, store.defaultLanguage, store.defaultLanguage),
  )
  const names = { slug: draft.slug ?? plain, spareSku: certain.toUpperCase() }
  const whole = buildProduct(draft, attributes, names)
  await insertProduct(tx, whole.product, draft.slug ? [draft.slug] : [plain, certain])
  await insertVariants(tx, whole.variants)
  await insertParts(tx, whole)
  await repriceProducts(tx, [whole.product.id])

  bumpCatalogVersion(tx)
  await emit(tx, productCreated, viewProduct(whole, store))
  return whole
}

async function insertParts(
  tx: StoreTx,
  { product, categoryIds, attributes, priceRules, relatedIds }: WholeProduct,
): Promise<void> {
  await insertProductCategories(tx, product.id, categoryIds)
  if (attributes.length) await replaceAttributes(tx, product.id, attributes)
  if (priceRules.length) await replacePriceRules(tx, product.id, priceRules)
  if (relatedIds.length) await replaceRelated(tx, product.id, relatedIds)
}

/** Inserts under the first slug that is free: asking first would miss one that another request takes meanwhile. */
async function insertProduct(tx: StoreTx, product: Product, slugs: string[]): Promise<void> {
  for (const slug of slugs) {
    product.slug = slug
    const inserted = await tx
      .knex('products')
      .insert({ ...product.$toDatabaseJson(), store_id: tx.storeId, ...searchColumns(tx, product) })
      .onConflict(tx.knex.raw('(store_id, slug) where deleted_at is null'))
      .ignore()
      .returning('id')
      .catch((error) => {
        throw toConflict(error, product)
      })
    if (inserted.length) return
  }
  throw ProductErrors.slugTaken({ slug: slugs[0] })
}
