import { emitProduct } from '#shared/catalog/emit-product.ts'
import { ProductErrors, toConflict } from '#shared/catalog/errors.ts'
import { productCreated } from '#shared/catalog/events.ts'
import { buildProduct, type NewProduct } from '#shared/catalog/new-product.ts'
import { assertRuleGroups, checkPriceRules, replacePriceRules } from '#shared/catalog/price-rule.ts'
import { repriceProducts } from '#shared/catalog/prices/reprice-products.ts'
import type { Product, WholeProduct } from '#shared/catalog/product.ts'
import { assignAttributes, replaceAttributes } from '#shared/catalog/product-attribute.ts'
import { insertProductCategories } from '#shared/catalog/product-category.ts'
import { checkRelated, replaceRelated } from '#shared/catalog/related-product.ts'
import { indexWords } from '#shared/catalog/search/product-words.ts'
import { searchColumns } from '#shared/catalog/search/search-text.ts'
import { slugCandidates } from '#shared/catalog/slug.ts'
import { insertVariants } from '#shared/catalog/variant.ts'
import { checkVariants } from '#shared/catalog/variants/check-variants.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { checkReferences } from './check-references.ts'

/**
 * Creates a product with its variants, their stock and its other parts. Without variants it gets one; without a slug it
 * gets one derived from its name. Throws `product.sku_taken`, `product.slug_taken`, and 422 for an invalid combination.
 */
export async function createProduct(tx: StoreTx, store: Store, input: NewProduct): Promise<WholeProduct> {
  checkVariants(input.options, input.variants)
  checkPriceRules(input.priceRules)
  await assertRuleGroups(tx, input.priceRules)
  await checkReferences(tx, input)
  await checkRelated(tx, input.relatedIds)
  const attributes = await assignAttributes(tx, input.attributes)

  const [plain, unique] = slugCandidates(
    pickText(input.nameI18n, store.defaultLanguage, store.defaultLanguage),
  )
  const defaults = { slug: input.slug ?? plain, defaultSku: unique.toUpperCase() }
  const built = buildProduct(input, attributes, defaults)
  const product = await insertProduct(tx, built.product, input.slug ? [input.slug] : [plain, unique])
  const whole = { ...built, product }
  await insertVariants(tx, whole.variants)
  await insertParts(tx, whole)
  await repriceProducts(tx, [whole.product.id])

  bumpCatalogVersion(tx)
  indexWords(tx, [whole.product.id])
  await emitProduct(tx, productCreated, store, whole)
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

/**
 * Inserts a product with the first free slug, and returns it. The insert itself finds out which slug is free, because a
 * check before it would miss a concurrent request.
 */
async function insertProduct(tx: StoreTx, built: Product, slugs: [string, ...string[]]): Promise<Product> {
  for (const slug of slugs) {
    const product = built.with({ slug })
    const inserted = await tx
      .knex('products')
      .insert({ ...product.$toDatabaseJson(), store_id: tx.storeId, ...searchColumns(tx, product) })
      .onConflict(tx.knex.raw('(store_id, slug) where deleted_at is null'))
      .ignore()
      .returning('id')
      .catch((error) => {
        throw toConflict(error, product)
      })
    if (inserted.length) return product
  }
  throw ProductErrors.slugTaken({ slug: slugs[0] })
}
