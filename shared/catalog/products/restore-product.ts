import { ProductErrors, toConflict } from '#shared/catalog/errors.ts'
import { productUpdated } from '#shared/catalog/events.ts'
import { repriceProducts } from '#shared/catalog/prices/reprice-products.ts'
import { loadParts, Product, type WholeProduct } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { viewProduct } from '#shared/catalog/view.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * Restores a deleted product with the variants that were deleted with it. The product is unpublished. Emits
 * `product.updated`. Throws `resource.not_found`, `product.not_deleted`, and `product.slug_taken` or
 * `product.sku_taken` if another product now has its slug or SKU.
 */
export async function restoreProduct(tx: StoreTx, store: Store, productId: string): Promise<WholeProduct> {
  const product = assertFound(await Product.in(tx).findById(productId).forNoKeyUpdate())
  const { deletedAt } = product
  if (!deletedAt) throw ProductErrors.notDeleted()

  const changes = { deletedAt: null, updatedAt: nextUpdatedAt(product) }
  await Product.in(tx)
    .findById(productId)
    .patch(changes)
    .catch((error) => {
      throw toConflict(error, product)
    })
  await restoreVariants(tx, productId, deletedAt, changes)
  await repriceProducts(tx, [productId])

  bumpCatalogVersion(tx)
  const [whole] = await loadParts(tx, [product.with(changes)])
  await emit(tx, productUpdated, viewProduct(whole as WholeProduct, store))
  return whole as WholeProduct
}

/** Restores the variants that were deleted with the product. Variants that were deleted earlier stay deleted. */
async function restoreVariants(
  tx: StoreTx,
  productId: string,
  deletedAt: Date,
  changes: Partial<ProductVariant>,
): Promise<void> {
  const deleted = () => ProductVariant.in(tx).where({ product_id: productId, deleted_at: deletedAt })
  const taken = await ProductVariant.in(tx)
    .whereNull('deleted_at')
    .whereIn('sku', deleted().select('sku'))
    .orderBy('sku')
    .limit(10)
    .select('sku')
  const skus = taken.map(({ sku }) => sku).join(', ')
  if (skus) throw ProductErrors.skuTaken({ skus })
  await deleted()
    .patch(changes)
    .catch((error) => {
      throw toConflict(error, { slug: '', sku: null })
    })
}
