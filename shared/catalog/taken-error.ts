import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import { ProductErrors } from './errors.ts'
import type { Product } from './product.ts'

/** What the database's refusal of the row of a product or variant means to whoever wrote it; any other error as it is. */
export function toConflict(error: unknown, { slug, sku }: Pick<Product, 'slug' | 'sku'>): unknown {
  switch (violatedConstraint(error)) {
    case 'products_slug':
      return ProductErrors.slugTaken({ slug })
    case 'products_sku':
      return ProductErrors.skuTaken({ skus: sku })
    case 'product_variants_sku':
      return ProductErrors.skuTaken(sku ? { skus: sku } : {})
    default:
      return error
  }
}
