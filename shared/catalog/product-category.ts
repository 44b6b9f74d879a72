import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Returns the ids of the categories of products, by product. */
export async function findCategoryIds(tx: StoreTx, productIds: string[]): Promise<Map<string, string[]>> {
  const rows: { product_id: string; category_id: string }[] = await tx
    .knex('product_categories')
    .where('store_id', tx.storeId)
    .whereIn('product_id', productIds)
    .orderBy('category_id')
    .select('product_id', 'category_id')
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, found]) => [id, found.map(({ category_id }) => category_id)]))
}

/** Adds a product to categories that it is not in yet. */
export async function insertProductCategories(
  tx: StoreTx,
  productId: string,
  categoryIds: string[],
): Promise<void> {
  if (categoryIds.length === 0) return
  await tx
    .knex('product_categories')
    .insert(categoryIds.map((id) => ({ store_id: tx.storeId, product_id: productId, category_id: id })))
}

/** Replaces the categories of a product. */
export async function replaceProductCategories(
  tx: StoreTx,
  productId: string,
  categoryIds: string[],
): Promise<void> {
  await tx.knex('product_categories').where({ store_id: tx.storeId, product_id: productId }).delete()
  await insertProductCategories(tx, productId, categoryIds)
}
