import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import { rotateSession } from '#shared/identity/sessions/rotate-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'
import { rotateSuperAdminSession } from '#shared/super-admin/rotate-session.ts'
import { PLATFORM } from '#shared/super-admin/session.ts'
import { deviceOf } from './caller.ts'
import { ownRefreshToken } from './own-refresh-token.ts'

/** Exchanges a refresh token for a new pair. */
export async function renew(
  store: Store | null,
  presented: string,
  request: RequestInfo,
): Promise<TokenPair> {
  const token = ownRefreshToken(store, presented)
  if (token.storeId === PLATFORM) return rotateSuperAdminSession(presented, deviceOf(request))
  await assertStoreAvailable(token.storeId)
  const outcome = await inStore(token.storeId, (tx) => rotateSession(tx, token, deviceOf(request)))
  if (outcome instanceof CodedError) throw outcome
  return outcome
}
