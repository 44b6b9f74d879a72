import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'

/**
 * Deletes the store softly: its keys, domains, tokens and webhooks stay as they are, and none of them opens a store
 * that is deleted. So a login still learns why it fails, and a mistake can be undone.
 */
export async function deleteStore(tx: StoreTx): Promise<void> {
  const at = now()
  await tx
    .knex('stores')
    .where({ id: tx.storeId })
    .whereNot({ status: 'deleted' })
    .update({ status: 'deleted', deleted_at: at, updated_at: at })
}
