import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * Returns a state or code. Throws `refusal` if it is missing, or of another store than the request, and
 * `auth.tenant_unavailable`.
 */
export async function assertOwnToken(
  store: Store | null,
  token: OpaqueToken | null,
  refusal: ErrorFactory,
): Promise<OpaqueToken> {
  if (!token || (store && store.id !== token.storeId)) throw refusal()
  if (!store) await assertStoreAvailable(token.storeId)
  return token
}
