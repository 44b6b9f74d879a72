import { assertFound } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { findStoreById } from '#shared/stores/find-store.ts'

/**
 * Returns the id of the store whose audit log a super-admin reads. Throws 422 at `store_id` if it is missing, and
 * `resource.not_found` for an unknown store.
 */
export async function findAuditedStore(storeId: string | undefined): Promise<string> {
  if (!storeId) throw invalid(['store_id'], 'Send the id of the store whose log you want to read', null)
  const tenant = assertFound(await findStoreById(storeId.toLowerCase()))
  return tenant.store.id
}
