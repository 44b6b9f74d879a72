import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import { newId } from '../platform/id.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { type AccountType, signAccessToken } from './access-token.ts'
import { makeRefreshToken } from './refresh-token.ts'
import { type Device, Session } from './session.ts'
import { expiryOf } from './session-span.ts'

/** What signing in or refreshing gives. `expiresIn` is the access token's, in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

/** Signs an account in: whoever calls has made sure that it is the account's owner who asks. */
export async function openSession(
  tx: StoreTx,
  account: { type: AccountType; id: string },
  device: Device,
): Promise<TokenPair> {
  const at = now()
  const id = newId()
  const refreshToken = makeRefreshToken({ storeId: tx.storeId, sessionId: id, generation: 1 })
  const session = await Session.in(tx).insert({
    id,
    accountType: account.type,
    accountId: account.id,
    generation: 1,
    tokenHash: sha256(refreshToken),
    ...device,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: expiryOf(account.type, at),
  })
  return pairOf(session, refreshToken)
}

/** A new access token of the session, beside its present refresh token. */
export function pairOf(session: Session, refreshToken: string): TokenPair {
  const { storeId, accountType, accountId, id: sessionId } = session
  return { ...signAccessToken({ storeId, accountType, accountId, sessionId }), refreshToken }
}
