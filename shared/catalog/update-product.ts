import { assertUnchanged, changedAt } from '../platform/entity-tag.ts'
import { emit } from '../platform/events.ts'
import { newId } from '../platform/id.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { invalid, ValidationError } from '../platform/validation.ts'
import type { Store } from '../stores/store.ts'
import { distinctIds } from './assemble-product.ts'
import { checkReferences } from './check-references.ts'
import { optionFaults, variantFaults } from './check-variants.ts'
import { productUpdated } from './events.ts'
import { Product, type ProductImage } from './product.ts'
import { putInCategories } from './put-in-categories.ts'
import { searchColumns } from './search-columns.ts'
import { takenError } from './taken-error.ts'
import { touchCatalog } from './touch-catalog.ts'
import { viewProduct, type WholeProduct } from './view.ts'
import { lockProduct } from './whole-products.ts'

type Field =
  | 'slug'
  | 'sku'
  | 'nameI18n'
  | 'descriptionI18n'
  | 'seo'
  | 'manufacturerId'
  | 'taxClassId'
  | 'priceMinor'
  | 'weightGrams'
  | 'dimensions'
  | 'options'
  | 'tags'
  | 'isActive'

/** What changes of a product; what is absent stays. */
export interface ProductChanges extends Partial<Pick<Product, Field>> {
  categoryIds?: string[]
  /** In their order. */
  images?: { id?: string; url: string; alt: string; variantIds: string[] }[]
}

/**
 * Changes a product; its variants stay as they are. Throws `resource.not_found`, `resource.changed` when `ifMatch`
 * names an earlier state, `product.slug_taken`, `product.sku_taken`, and 422 for what does not fit together.
 */
export async function updateProduct(
  tx: StoreTx,
  store: Store,
  productId: string,
  changes: ProductChanges,
  ifMatch?: string,
): Promise<WholeProduct> {
  const before = await lockProduct(tx, productId)
  assertUnchanged(before.product, ifMatch)
  const { categoryIds, images, ...fields } = changes
  if (fields.options) checkOptions(fields.options, before)
  await checkReferences(tx, changes)

  const changed = Object.assign(new Product(), fields, {
    ...(fields.tags ? { tags: [...new Set(fields.tags)] } : {}),
    ...(images ? { images: arrange(images, before) } : {}),
    updatedAt: changedAt(before.product),
  })
  const product = Object.assign(new Product(), before.product, changed)
  const whole = {
    ...before,
    product,
    categoryIds: categoryIds ? distinctIds(categoryIds).sort() : before.categoryIds,
  }
  await writeChanges(tx, product, changed)
  if (categoryIds) await replaceCategories(tx, productId, whole.categoryIds)

  touchCatalog(tx)
  await emit(tx, productUpdated, viewProduct(whole, store.currency))
  return whole
}

async function writeChanges(tx: StoreTx, product: Product, changed: Product): Promise<void> {
  const foundBy = changed.nameI18n ?? changed.tags ?? changed.descriptionI18n
  await tx
    .knex('products')
    .where({ store_id: tx.storeId, id: product.id })
    .update({ ...changed.$toDatabaseJson(), ...(foundBy ? searchColumns(tx, product) : {}) })
    .catch((error) => {
      throw takenError(error, product)
    })
}

async function replaceCategories(tx: StoreTx, productId: string, categoryIds: string[]): Promise<void> {
  await tx.knex('product_categories').where({ store_id: tx.storeId, product_id: productId }).delete()
  await putInCategories(tx, productId, categoryIds)
}

function checkOptions(options: Product['options'], { variants }: WholeProduct): void {
  const faults = optionFaults(options)
  if (faults.length) throw new ValidationError(faults)
  const [misfit] = variantFaults(options, variants)
  if (misfit) throw invalid(['body', 'options'], 'The variants that the product has do not fit these options')
}

function arrange(
  images: NonNullable<ProductChanges['images']>,
  { product, variants }: WholeProduct,
): ProductImage[] {
  const knownImages = new Set(product.images.map(({ id }) => id))
  const knownVariants = new Set(variants.map(({ id }) => id))
  return images.map(({ id, url, alt, variantIds }, position) => {
    const unknown = variantIds.find((variantId) => !knownVariants.has(variantId.toLowerCase()))
    if (unknown !== undefined)
      throw invalid(['body', 'images', position, 'variant_ids'], 'The product has no such variant', unknown)
    const kept = id && knownImages.delete(id.toLowerCase()) ? id.toLowerCase() : newId()
    return { id: kept, url, alt, position, variant_ids: distinctIds(variantIds) }
  })
}
