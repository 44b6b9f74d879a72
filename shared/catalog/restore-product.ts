import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import type { Store } from '#shared/stores/store.ts'
import { ProductErrors } from './errors.ts'
import { productUpdated } from './events.ts'
import { repriceProducts } from './prices/reprice-products.ts'
import { Product } from './product.ts'
import { toConflict } from './taken-error.ts'
import { ProductVariant } from './variants/variant.ts'
import { viewProduct, type WholeProduct } from './view.ts'
import { loadParts } from './whole-products.ts'

/**
 * Brings a deleted product back, unpublished, with the variants that went with it; `product.updated` tells it. Throws
 * `resource.not_found`, `product.not_deleted`, and `product.slug_taken` or `product.sku_taken` when another product
 * goes by its name meanwhile.
 */
export async function restoreProduct(tx: StoreTx, store: Store, productId: string): Promise<WholeProduct> {
  const product = await Product.in(tx).findById(productId).forNoKeyUpdate()
  if (!product) throw CommonErrors.notFound()
  const { deletedAt } = product
  if (!deletedAt) throw ProductErrors.notDeleted()

  const back = { deletedAt: null, updatedAt: nextUpdatedAt(product) }
  await Product.in(tx)
    .findById(productId)
    .patch(back)
    .catch((error) => {
      throw toConflict(error, product)
    })
  await restoreVariants(tx, productId, deletedAt, back)
  await repriceProducts(tx, [productId])

  bumpCatalogVersion(tx)
  const [whole] = await loadParts(tx, [Object.assign(product, back)])
  await emit(tx, productUpdated, viewProduct(whole as WholeProduct, store))
  return whole as WholeProduct
}

/** Those that a deletion took; what was deleted before it stays so. */
async function restoreVariants(
  tx: StoreTx,
  productId: string,
  deletedAt: Date,
  back: Partial<ProductVariant>,
): Promise<void> {
  const gone = () => ProductVariant.in(tx).where({ product_id: productId, deleted_at: deletedAt })
  const taken = await ProductVariant.in(tx)
    .whereNull('deleted_at')
    .whereIn('sku', gone().select('sku'))
    .orderBy('sku')
    .limit(10)
    .select('sku')
  const skus = taken.map(({ sku }) => sku).join(', ')
  if (skus) throw ProductErrors.skuTaken({ skus })
  await gone()
    .patch(back)
    .catch((error) => {
      throw toConflict(error, { slug: '', sku: null })
    })
}
