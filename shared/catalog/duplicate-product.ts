import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { createProduct } from './create-product.ts'
import type { NewProduct } from './new-product.ts'
import type { WholeProduct } from './view.ts'
import { findProduct } from './whole-products.ts'

// With its mark a SKU is as long as one may be.
const LONGEST_SKU = 90

/**
 * Makes a product that is like another but for what names one thing: slug, SKUs, barcodes. It is unpublished and has
 * no stock. Throws `resource.not_found`.
 */
export async function duplicateProduct(tx: StoreTx, store: Store, productId: string): Promise<WholeProduct> {
  return createProduct(
    tx,
    store,
    draftLike(await findProduct(tx, productId), newId().slice(-8).toUpperCase()),
  )
}

function draftLike(like: WholeProduct, mark: string): NewProduct {
  const { product, variants, categoryIds, attributes, priceRules, relatedIds } = like
  const skuLike = (sku: string) => `${sku.slice(0, LONGEST_SKU)}-${mark}`
  const skus = new Map(variants.map(({ id, sku }) => [id, skuLike(sku)]))
  return {
    sku: product.sku && skuLike(product.sku),
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
    isActive: false,
    variants: variants.map((variant) => ({
      sku: skuLike(variant.sku),
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
    })),
  }
}
