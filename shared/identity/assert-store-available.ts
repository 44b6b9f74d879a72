import { findStoreById } from '#shared/stores/find-store.ts'
import { AuthErrors } from './errors.ts'

/** Throws `auth.tenant_unavailable` (403) when the store was deleted or suspended. */
export async function assertStoreAvailable(storeId: string): Promise<void> {
  const context = await findStoreById(storeId)
  if (context?.store.status !== 'active') throw AuthErrors.tenantUnavailable()
}
