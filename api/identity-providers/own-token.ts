import { assertStoreAvailable } from '#shared/accounts/assert-store-available.ts'
import { type OauthToken, readOauthToken } from '#shared/identity-providers/oauth-token.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'

/** A state or code names its own store; where the request names one too, they must agree. */
export async function readOwnToken(
  store: Store | null,
  presented: string,
  refusal: ErrorFactory,
): Promise<OauthToken> {
  const token = readOauthToken(presented)
  if (!token || (store && store.id !== token.storeId)) throw refusal()
  if (!store) await assertStoreAvailable(token.storeId)
  return token
}
