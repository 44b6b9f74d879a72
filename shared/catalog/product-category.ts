import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Puts a product that is in none of them yet into categories. */
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
