import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'

/**
 * Returns the ids of the related products that staff chose, in sequence, by product id. Deleted products are left out.
 */
export async function findRelatedIds(tx: StoreTx, productIds: string[]): Promise<Map<string, string[]>> {
  const rows: { product_id: string; related_id: string }[] = await tx
    .knex('related_products as r')
    .join('products as p', { 'p.store_id': 'r.store_id', 'p.id': 'r.related_id' })
    .where('r.store_id', tx.storeId)
    .whereIn('r.product_id', productIds)
    .whereNull('p.deleted_at')
    .orderBy('r.position')
    .select('r.product_id', 'r.related_id')
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, related]) => [id, related.map(({ related_id }) => related_id)]))
}

/** Throws 422 for the product itself and for ids that are not products of this store. */
export async function checkRelated(tx: StoreTx, ids: string[], productId?: string): Promise<void> {
  if (ids.length === 0) return
  const found: string[] = await tx
    .knex('products')
    .where({ store_id: tx.storeId, deleted_at: null })
    .whereIn('id', ids)
    .pluck('id')
  const known = new Set(found.filter((id) => id !== productId))
  const faults = ids.flatMap((id, i) =>
    known.has(id.toLowerCase())
      ? []
      : invalid(
          ['related_ids', i],
          'This store does not have this other product. Use the id of another product',
          id,
        ).faults,
  )
  if (faults.length) throw new ValidationError(faults)
}

/** Replaces the related products of a product. */
export async function replaceRelated(tx: StoreTx, productId: string, ids: string[]): Promise<void> {
  await tx.knex('related_products').where({ store_id: tx.storeId, product_id: productId }).delete()
  if (ids.length === 0) return
  await tx.knex('related_products').insert(
    ids.map((related_id, position) => ({
      store_id: tx.storeId,
      product_id: productId,
      position,
      related_id,
    })),
  )
}
