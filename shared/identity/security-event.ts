import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AccountName } from './account.ts'
import type { Device } from './sessions/session.ts'

/** What can have been done about an account's sign-in, by its holder, by staff, or by a thief. */
export const SECURITY_EVENTS = [
  'signed_in_from_new_device',
  'recovery_code_used',
  'password_changed',
  'password_reset',
  'email_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'two_factor_reset',
  'recovery_codes_renewed',
  'session_closed',
  'signed_out_everywhere',
  'sessions_revoked',
  'refresh_token_reused',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number]

/** Something that an account's holder should be able to look up: what, when, and from where. */
export class SecurityEvent extends StoreModel {
  static override tableName = 'security_events'

  declare kind: SecurityEventKind
  declare accountType: AccountName['type']
  declare accountId: string
  /** The session that was opened or closed, or whose token it was, where it was one. */
  declare sessionId: string | null
  declare ip: string | null
  declare userAgent: string | null
  declare createdAt: Date
}

/** Writes down what befell an account, in the transaction in which it did. */
export async function recordSecurityEvent(
  tx: StoreTx,
  kind: SecurityEventKind,
  { type, id }: AccountName,
  { ip, userAgent }: Device,
  { sessionId = null }: { sessionId?: string | null } = {},
): Promise<void> {
  await SecurityEvent.in(tx).insert({
    kind,
    accountType: type,
    accountId: id,
    sessionId,
    ip,
    userAgent,
    createdAt: now(),
  })
}
