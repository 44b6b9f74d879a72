import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AccountName } from '../account.ts'
import type { SecurityEventKind } from '../security-event.ts'
import { signAccessToken } from './access-token.ts'
import { makeRefreshToken } from './refresh-token.ts'
import type { Device, Session } from './session.ts'
import { expiryOf } from './session-span.ts'

/** What signing in or refreshing gives. `expiresIn` is the access token's, in seconds. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresIn: number
}

/** SQL that opens a session of the account whose type is $1 and id $2; `newSession` gives the values. */
export const INSERT_SESSION = `
  insert into sessions (store_id, id, account_type, account_id, generation, token_hash, ip, user_agent,
    created_at, last_used_at, expires_at)
  select ${CURRENT_STORE}, $3::uuid, $1, $2::uuid, 1, decode($4, 'hex'), $5, $6,
    $7::timestamptz, $7::timestamptz, $8::timestamptz`

const OPEN_SESSION = { name: 'open_session', text: INSERT_SESSION }

const NEW_DEVICE: SecurityEventKind = 'signed_in_from_new_device'

/** The same, noted for the account's owner to look up: $9 is the event's id. */
const OPEN_ON_NEW_DEVICE = {
  name: 'open_session_on_new_device',
  text: `
    with opened as (${INSERT_SESSION}
      returning store_id, account_type, account_id, id, ip, user_agent, created_at)
    insert into security_events (store_id, id, kind, account_type, account_id, session_id, ip, user_agent, created_at)
    select store_id, $9::uuid, '${NEW_DEVICE}',
      account_type, account_id, id, ip, user_agent, created_at
    from opened`,
}

/** A session that is not kept yet: what is to be kept of it, and the tokens its owner will hold. */
interface NewSession {
  values: (string | null)[]
  tokens(): TokenPair
}

/**
 * Signs an account in: whoever calls has made sure that it is the account's owner who asks. `isNews`: the device is one
 * that the owner did not use so far.
 */
export async function openSession(
  tx: StoreTx,
  account: AccountName,
  device: Device,
  { isNews = false }: { isNews?: boolean } = {},
): Promise<TokenPair> {
  const { values, tokens } = newSession(tx.storeId, account, device)
  if (isNews) await tx.prepared(OPEN_ON_NEW_DEVICE, [...values, newId()])
  else await tx.prepared(OPEN_SESSION, values)
  return tokens()
}

/** A session of the account, to be kept by `INSERT_SESSION`: its tokens are good once that is committed. */
export function newSession(
  storeId: string,
  { type, id: accountId }: AccountName,
  device: Device,
): NewSession {
  const at = now()
  const id = newId()
  const refreshToken = makeRefreshToken({ storeId, sessionId: id, generation: 1 })
  return {
    values: [
      type,
      accountId,
      id,
      sha256(refreshToken).toString('hex'),
      device.ip,
      device.userAgent,
      at.toISOString(),
      expiryOf(type, at).toISOString(),
    ],
    tokens: () => pairOf({ storeId, accountType: type, accountId, id }, refreshToken),
  }
}

/** A new access token of the session, beside its present refresh token. */
export function pairOf(
  session: Pick<Session, 'storeId' | 'accountType' | 'accountId' | 'id'>,
  refreshToken: string,
): TokenPair {
  const { storeId, accountType, accountId, id: sessionId } = session
  return { ...signAccessToken({ storeId, accountType, accountId, sessionId }), refreshToken }
}
