import type { Callers } from '#api/platform/auth/callers.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { findHolder } from '#shared/identity/holder.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { refreshSession as refresh } from '#shared/identity/sessions/refresh-session.ts'
import { type RefreshToken, readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { findSignedInAccount, signOut, signOutEverywhere } from '#shared/identity/sessions/sign-out.ts'
import type { TokenPair } from '#shared/identity/sessions/token-pair.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'
import { deviceOf, runInScope } from './request.ts'

/**
 * Reads a refresh token that a client presents. Throws `auth.refresh_token_invalid` for another format, and if token
 * and request name different stores.
 */
export function readOwnToken(store: Store | null, presented: string): RefreshToken {
  const token = readRefreshToken(presented)
  if (!token || (store && store.id !== token.storeId)) throw AuthErrors.refreshTokenInvalid()
  return token
}

/** Reads the refresh token of a super-admin. Throws `auth.refresh_token_invalid` for any other. */
export function readPlatformToken(presented: string): RefreshToken {
  const token = readRefreshToken(presented)
  if (!token || token.storeId !== null) throw AuthErrors.refreshTokenInvalid()
  return token
}

/** Exchanges a refresh token for a new pair. */
export async function refreshSession(token: RefreshToken, request: RequestInfo): Promise<TokenPair> {
  if (token.storeId) await assertStoreAvailable(token.storeId)
  const outcome = await inScope(token.storeId, (tx) => refresh(tx, token, deviceOf(request)))
  if (outcome instanceof CodedError) throw outcome
  return outcome
}

/** Closes the session of a refresh token, or all sessions of its account. */
export async function closeSessionsOf(
  token: RefreshToken,
  { all }: { all: boolean },
  { request, unitOfWork }: { request: RequestInfo; unitOfWork: UnitOfWork },
): Promise<null> {
  const { storeId } = token
  if (!all) await inScope(storeId, (tx) => signOut(tx, token))
  else {
    const caller = await inScope(storeId, (tx) => callerOf(tx, token))
    const device = deviceOf(request)
    await runInScope(unitOfWork, storeId, (tx) => signOutEverywhere(tx, token, device), caller)
  }
  return null
}

/** Returns the account of a refresh token for the audit log. */
async function callerOf(tx: IdentityTx, token: RefreshToken): Promise<Callers> {
  const { sessionId } = token
  const { type, id } = await findSignedInAccount(tx, token)
  if (type !== 'super_admin') return { account: { type, id, sessionId } }
  const { email } = await findHolder(tx, { type, id })
  // A refresh token alone is no recent sign-in.
  return { superAdmin: { type, id, email, sessionId, isSignInRecent: false } }
}
