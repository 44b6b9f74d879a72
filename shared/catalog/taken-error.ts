import { ProductErrors } from './errors.ts'
import type { Product } from './product.ts'

/** What the database's refusal of a product's row means to whoever wrote it; any other error as it is. */
export function takenError(error: unknown, { slug, sku }: Product): unknown {
  switch ((error as { constraint?: string }).constraint) {
    case 'products_slug':
      return ProductErrors.slugTaken({ slug })
    case 'products_sku':
      return ProductErrors.skuTaken({ skus: sku })
    default:
      return error
  }
}
