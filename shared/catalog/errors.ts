import { defineErrors } from '../platform/errors.ts'

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
})
