import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { AuthErrors } from './errors.ts'

/** Throws `auth.tenant_unavailable` (403) when the store was deleted or suspended (interface document, section 7). */
export async function assertStoreAvailable(storeId: string): Promise<void> {
  const visit = await findStoreById(storeId)
  assertAvailable(visit?.store.status)
}

/** The same where the store's status is known. */
export function assertAvailable(status: Store['status'] | undefined): void {
  if (status !== 'active') throw AuthErrors.tenantUnavailable()
}
