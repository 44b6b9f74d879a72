import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import type { UnitOfWork } from '#api/platform/pipeline/unit-of-work.ts'
import { leaveAsSuperAdmin } from '#api/super-admin/sign-out.ts'
import { signOut, signOutEverywhere, whoseSessions } from '#shared/identity/sessions/sign-out.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { PLATFORM } from '#shared/super-admin/session.ts'
import { deviceOf } from './caller.ts'
import { ownRefreshToken } from './own-refresh-token.ts'

/** Closes the session of a refresh token, or all of its account's. */
export async function leave(
  store: Store | null,
  presented: string,
  { all }: { all: boolean },
  { request, unitOfWork }: { request: RequestInfo; unitOfWork: UnitOfWork },
): Promise<null> {
  const token = ownRefreshToken(store, presented)
  const { storeId, sessionId } = token
  if (storeId === PLATFORM) return leaveAsSuperAdmin(presented, { all }, unitOfWork)
  if (!all) await inStore(storeId, (tx) => signOut(tx, token))
  else {
    const found = await inStore(storeId, (tx) => whoseSessions(tx, token))
    const account = { ...found, sessionId }
    await unitOfWork.inStore(storeId, (tx) => signOutEverywhere(tx, token, deviceOf(request)), { account })
  }
  return null
}
