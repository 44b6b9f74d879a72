import { assertStoreAvailable } from '#shared/accounts/assert-store-available.ts'
import { AuthErrors } from '#shared/accounts/errors.ts'
import type { TokenPair } from '#shared/accounts/open-session.ts'
import { type RefreshToken, readRefreshToken } from '#shared/accounts/refresh-token.ts'
import { rotateSession } from '#shared/accounts/rotate-session.ts'
import { signOut, signOutEverywhere, whoseSessions } from '#shared/accounts/sign-out.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { rotateSuperAdminSession } from '#shared/super-admin/rotate-session.ts'
import { PLATFORM } from '#shared/super-admin/session.ts'
import type { OwnChange } from '../platform/change.ts'
import type { RequestFacts } from '../platform/endpoint.ts'
import { leaveAsSuperAdmin } from '../super-admin/sign-out.ts'
import { deviceOf } from './caller.ts'

/** Exchanges a refresh token. It names its own store; where the request names one too, they must agree. */
export async function renew(
  store: Store | null,
  presented: string,
  request: RequestFacts,
): Promise<TokenPair> {
  const token = readOwn(store, presented)
  if (token.storeId === PLATFORM) return rotateSuperAdminSession(presented, deviceOf(request))
  await assertStoreAvailable(token.storeId)
  const outcome = await inStore(token.storeId, (tx) => rotateSession(tx, token, deviceOf(request)))
  if (outcome instanceof CodedError) throw outcome
  return outcome
}

/** Closes the session of a refresh token, or all of its account's. */
export async function leave(
  store: Store | null,
  presented: string,
  { all }: { all: boolean },
  { request, change }: { request: RequestFacts; change: OwnChange },
): Promise<null> {
  const token = readOwn(store, presented)
  const { storeId, sessionId } = token
  if (storeId === PLATFORM) return leaveAsSuperAdmin(presented, { all }, change)
  if (!all) await inStore(storeId, (tx) => signOut(tx, token))
  else {
    const found = await inStore(storeId, (tx) => whoseSessions(tx, token))
    const account = { ...found, sessionId }
    await change.inStore(storeId, (tx) => signOutEverywhere(tx, token, deviceOf(request)), { account })
  }
  return null
}

function readOwn(store: Store | null, presented: string): RefreshToken {
  const token = readRefreshToken(presented)
  if (!token || (store && store.id !== token.storeId)) throw AuthErrors.refreshTokenInvalid()
  return token
}
