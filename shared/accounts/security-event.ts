import { now } from '../platform/clock.ts'
import { newId } from '../platform/id.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { Device, Session } from './session.ts'

export type SecurityEventKind = 'refresh_token_reused'

/** Records what may be a theft, for the account's owner and for those who look into it. */
export async function recordSecurityEvent(
  tx: StoreTx,
  kind: SecurityEventKind,
  session: Session,
  device: Device,
): Promise<void> {
  await tx.knex('security_events').insert({
    store_id: tx.storeId,
    id: newId(),
    kind,
    account_type: session.accountType,
    account_id: session.accountId,
    session_id: session.id,
    ip: device.ip,
    user_agent: device.userAgent,
    created_at: now(),
  })
}
