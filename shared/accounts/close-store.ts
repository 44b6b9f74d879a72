import type { StoreTx } from '../platform/store-scope.ts'
import { deleteStore } from '../stores/delete-store.ts'
import { closeEverySession } from './close-session.ts'

/**
 * Deletes a store and signs everybody out of it. From the commit on login and refresh are told
 * `auth.tenant_unavailable` (interface document, section 4).
 */
export async function closeStore(tx: StoreTx): Promise<void> {
  await deleteStore(tx)
  await closeEverySession(tx, 'store_deleted')
}
