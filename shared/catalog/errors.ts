import { defineErrors } from '#shared/platform/errors.ts'

export const ProductErrors = defineErrors({
  skuTaken: {
    code: 'product.sku_taken',
    status: 409,
    message: ({ skus = '<sku>' }) => `Another product of this store has the SKU ${skus}. Choose another.`,
  },
  slugTaken: {
    code: 'product.slug_taken',
    status: 409,
    message: ({ slug = '<slug>' }) => `Another product of this store has the slug "${slug}". Choose another.`,
  },
  lastVariant: {
    code: 'product.last_variant',
    status: 409,
    message: 'A product has at least one variant. Add another first, or delete the product.',
  },
  notDeleted: {
    code: 'product.not_deleted',
    status: 409,
    message: 'The product is not deleted, so there is nothing to restore. To show it again, set is_active.',
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
    message: 'The store has another one of this name, in its default language. Choose another.',
  },
  inUse: {
    code: 'catalog.in_use',
    status: 409,
    message: 'Something of the catalog still uses this. Take it off there first.',
  },
})

export const CategoryErrors = defineErrors({
  slugTaken: {
    code: 'category.slug_taken',
    status: 409,
    message: 'Another category of this store has this slug. Choose another.',
  },
})
