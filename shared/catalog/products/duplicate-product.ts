import type { NewProduct } from '#shared/catalog/new-product.ts'
import { findProduct, type WholeProduct } from '#shared/catalog/product.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { createProduct } from './create-product.ts'

// With its suffix the SKU then has at most 100 characters.
const MAX_SKU_STEM = 90

/**
 * Creates a copy of a product with its own slug and SKUs. The copy is unpublished, has no stock and no barcodes, and
 * is in no recurring plan: a plan would sell it at the plan's price. Throws `resource.not_found`.
 */
export async function duplicateProduct(tx: StoreTx, store: Store, productId: string): Promise<WholeProduct> {
  const suffix = newId().slice(-8).toUpperCase()
  return createProduct(tx, store, copyOf(await findProduct(tx, productId), suffix))
}

function copyOf(original: WholeProduct, suffix: string): NewProduct {
  const { product, variants, categoryIds, attributes, priceRules, relatedIds } = original
  const newSku = (sku: string) => `${sku.slice(0, MAX_SKU_STEM)}-${suffix}`
  const skus = new Map(variants.map(({ id, sku }) => [id, newSku(sku)]))
  return {
    sku: product.sku && newSku(product.sku),
    nameI18n: product.nameI18n,
    descriptionI18n: product.descriptionI18n,
    seo: product.seo,
    manufacturerId: product.manufacturerId,
    taxClassId: product.taxClassId,
    stockStatusId: product.stockStatusId,
    categoryIds,
    priceMinor: product.priceMinor,
    weightGrams: product.weightGrams,
    dimensions: product.dimensions,
    options: product.options,
    images: product.images.map(({ url, alt, variant_ids }) => ({
      url,
      alt,
      variantSkus: variant_ids.flatMap((id) => skus.get(id) ?? []),
    })),
    attributes,
    priceRules,
    relatedIds,
    tags: product.tags,
    metadata: product.metadata,
    isActive: false,
    variants: variants.map((variant) => ({
      sku: newSku(variant.sku),
      optionValues: variant.optionValues,
      priceMinor: variant.priceMinor,
      salePriceMinor: variant.salePriceMinor,
      saleStartsAt: variant.saleStartsAt,
      saleEndsAt: variant.saleEndsAt,
      barcode: null,
      weightGrams: variant.weightGrams,
      stockOnHand: 0,
      backorder: variant.backorder,
      isActive: variant.isActive,
      metadata: variant.metadata,
    })),
  }
}
