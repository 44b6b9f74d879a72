import { Type } from 'typebox'
import { Changed, Count, importViews, Updated } from '#shared/imports/view.ts'

/** The views of the imports of products. */
export const PRODUCT_IMPORT = importViews(
  'CatalogJob',
  {
    kind: Type.Enum(['products']),
    products_created: Count,
    products_updated: Updated,
    products_changed: Changed,
    variants_created: Count,
    variants_updated: Updated,
    variants_changed: Changed,
  },
  ({ counts }) => ({
    kind: 'products' as const,
    products_created: counts.products_created ?? 0,
    products_updated: counts.products_updated ?? 0,
    products_changed: counts.products_changed ?? 0,
    variants_created: counts.variants_created ?? 0,
    variants_updated: counts.variants_updated ?? 0,
    variants_changed: counts.variants_changed ?? 0,
  }),
)
