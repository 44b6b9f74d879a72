import type { ProductRow, VariantRow } from '#shared/catalog/import/rows/rows.ts'

/** An existing product with its variants by position. */
export interface KnownProduct {
  product: ProductRow
  variants: VariantRow[]
  categoryIds: string[]
}

/** An earlier row of the file with a SKU. */
export interface ClaimedSku {
  slug: string
  line: number
}

/** The existing products and variants that rows refer to, and the SKUs of earlier plans. */
export interface KnownCatalog {
  /** Products that are not deleted, by slug. */
  bySlug: Map<string, KnownProduct>
  byId: Map<string, KnownProduct>
  /** By SKU: the variants of all loaded products, and variants of other products with a SKU of the rows. */
  bySku: Map<string, VariantRow>
  /** The slug of each product that has a variant in `bySku`. */
  slugs: Map<string, string>
  /** The SKUs of the products that were planned before these rows. */
  claimedSkus: Map<string, ClaimedSku>
  /** The ids of products that match a handle of these rows. */
  matchedIds: Set<string>
}

/** The part of the known catalog that is in the database. */
export type LoadedCatalog = Omit<KnownCatalog, 'claimedSkus' | 'matchedIds'>
