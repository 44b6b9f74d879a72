import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import { defineErrors } from '#shared/platform/errors.ts'

export const ProductErrors = defineErrors({
  skuTaken: {
    code: 'product.sku_taken',
    status: 409,
    message: ({ skus }: { skus?: string }) =>
      skus
        ? `Another product of this store has the SKU ${skus}. Choose another SKU.`
        : 'Another product of this store has one of these SKUs. Choose other SKUs.',
  },
  slugTaken: {
    code: 'product.slug_taken',
    status: 409,
    message: ({ slug }: { slug: string }) =>
      `Another product of this store has the slug "${slug}". Choose another slug.`,
  },
  lastVariant: {
    code: 'product.last_variant',
    status: 409,
    message: 'A product needs at least one variant. Add another one first, or delete the product.',
  },
  notDeleted: {
    code: 'product.not_deleted',
    status: 409,
    message: 'The product is not deleted. To publish it, set is_active.',
  },
  tooLarge: {
    code: 'product.too_large',
    status: 422,
    message: ({ limit }: { limit: number }) =>
      `With this change the product and its variants would take more than ${limit} bytes as JSON. Shorten its texts, ` +
      'or divide it into several products.',
  },
  priceRuleNotPositive: {
    code: 'product.price_rule_not_positive',
    status: 422,
    message: 'A special price or quantity discount needs a price above zero.',
  },
})

export const CatalogErrors = defineErrors({
  nameTaken: {
    code: 'catalog.name_taken',
    status: 409,
    message: 'The store already has this name in its default language. Choose another name.',
  },
  inUse: {
    code: 'catalog.in_use',
    status: 409,
    message: 'The catalog uses it. Remove it from the products, attributes or categories that use it first.',
  },
})

export const CategoryErrors = defineErrors({
  slugTaken: {
    code: 'category.slug_taken',
    status: 409,
    message: 'Another category of this store has this slug. Choose another slug.',
  },
})

/** Returns the coded error of a violated unique constraint on products or variants; any other error unchanged. */
export function toConflict(error: unknown, { slug, sku }: { slug: string; sku: string | null }): unknown {
  switch (violatedConstraint(error)) {
    case 'products_slug':
      return ProductErrors.slugTaken({ slug })
    case 'products_sku':
    case 'product_variants_sku':
      return ProductErrors.skuTaken(sku ? { skus: sku } : {})
    default:
      return error
  }
}
