import { findVariants, type Product } from '#shared/catalog/product.ts'
import { findCategoryIds } from '#shared/catalog/product-category.ts'
import type { ProductVariant } from '#shared/catalog/variant.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A product with everything that an export writes. */
export interface ExportedProduct {
  id: string
  product: Product
  /** The variants by position. */
  variants: ProductVariant[]
  manufacturer: string | null
  /** The slugs of its categories, in alphabetical order. */
  categories: string[]
}

/** Loads the exported parts of products, with one query for each kind of part. */
export async function loadExportedParts(tx: StoreTx, products: Product[]): Promise<ExportedProduct[]> {
  const ids = products.map(({ id }) => id)
  const variants = await findVariants(tx, ids)
  const categoryIds = await findCategoryIds(tx, ids)
  const slugs = await textsOf(tx, 'categories', 'slug', [...categoryIds.values()].flat())
  const names = await textsOf(
    tx,
    'manufacturers',
    'name',
    products.flatMap(({ manufacturerId }) => manufacturerId ?? []),
  )
  const byProduct = Map.groupBy(variants, ({ productId }) => productId)
  return products.map((product) => ({
    id: product.id,
    product,
    variants: byProduct.get(product.id) ?? [],
    manufacturer: names.get(product.manufacturerId ?? '') ?? null,
    categories: (categoryIds.get(product.id) ?? []).flatMap((id) => slugs.get(id) ?? []).sort(),
  }))
}

async function textsOf(
  tx: StoreTx,
  table: string,
  column: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows: { id: string; text: string }[] = await tx
    .knex(table)
    .where('store_id', tx.storeId)
    .whereIn('id', [...new Set(ids)])
    .select({ id: 'id', text: column })
  return new Map(rows.map(({ id, text }) => [id, text]))
}
