import { defineErrors } from '../platform/errors.ts'

export const ProductErrors = defineErrors({
  skuTaken: {
    code: 'product.sku_taken',
    status: 409,
    message: ({ skus }) =>
      `Another product of this store has the SKU ${(skus as string[]).slice(0, 10).join(', ')}. Choose another.`,
  },
  slugTaken: {
    code: 'product.slug_taken',
    status: 409,
    message: ({ slug }) => `Another product of this store has the slug "${slug}". Choose another.`,
  },
})
