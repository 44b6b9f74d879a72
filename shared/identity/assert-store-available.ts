import { findStoreById } from '#shared/stores/find-store.ts'
import { AuthErrors } from './errors.ts'

/** Throws `auth.tenant_unavailable` if the store is deleted or suspended. */
export async function assertStoreAvailable(storeId: string): Promise<void> {
  const context = await findStoreById(storeId)
  if (context?.store.status !== 'active') throw AuthErrors.tenantUnavailable()
}
