import { findStoreById } from '../stores/find-store.ts'
import { AuthErrors } from './errors.ts'

/** Throws `auth.tenant_unavailable` (403) when the store was deleted or suspended (interface document, section 7). */
export async function assertStoreAvailable(storeId: string): Promise<void> {
  const visit = await findStoreById(storeId)
  if (visit?.store.status !== 'active') throw AuthErrors.tenantUnavailable()
}
