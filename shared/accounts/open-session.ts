import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import { newId } from '../platform/id.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { type AccountType, signAccessToken } from './access-token.ts'
import { makeRefreshToken } from './refresh-token.ts'
import type { Device, Session } from './session.ts'
import { expiryOf } from './session-span.ts'

/** What signing in or refreshing gives. `expiresIn` is the access token's, in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

const OPEN_SESSION = {
  name: 'open_session',
  text: `
    insert into sessions (store_id, id, account_type, account_id, generation, token_hash, ip, user_agent,
      created_at, last_used_at, expires_at)
    values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $8, $9)`,
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
  await tx.prepared(OPEN_SESSION, [
    tx.storeId,
    id,
    account.type,
    account.id,
    sha256(refreshToken),
    device.ip,
    device.userAgent,
    at,
    expiryOf(account.type, at),
  ])
  return pairOf({ storeId: tx.storeId, accountType: account.type, accountId: account.id, id }, refreshToken)
}

/** A new access token of the session, beside its present refresh token. */
export function pairOf(
  session: Pick<Session, 'storeId' | 'accountType' | 'accountId' | 'id'>,
  refreshToken: string,
): TokenPair {
  const { storeId, accountType, accountId, id: sessionId } = session
  return { ...signAccessToken({ storeId, accountType, accountId, sessionId }), refreshToken }
}
