import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const BATCH_SIZE = 1_000

/**
 * Deletes up to 1,000 customers of the gateway in a deleted store, so that no more cards are saved. Returns whether
 * there may be more.
 */
export async function forgetGatewayCustomers({ knex, storeId }: StoreTx): Promise<boolean> {
  const some = knex('gateway_customers').where('store_id', storeId).select('customer_id').limit(BATCH_SIZE)
  const deleted = await knex('gateway_customers')
    .where('store_id', storeId)
    .whereIn('customer_id', some)
    .delete()
  return deleted > 0
}

/** Returns the references of some saved cards of the store. */
export const listCardReferences = ({ knex, storeId }: StoreTx, limit: number): Promise<string[]> =>
  knex('saved_cards').where('store_id', storeId).orderBy('reference').limit(limit).pluck('reference')

/** Deletes saved cards that the gateway no longer charges. */
export const forgetCards = ({ knex, storeId }: StoreTx, references: readonly string[]): PromiseLike<number> =>
  knex('saved_cards').where('store_id', storeId).whereIn('reference', references).delete()
