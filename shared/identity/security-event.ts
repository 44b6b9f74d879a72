import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Device } from './device.ts'
import type { Account, AccountType, IdentityTx } from './principal.ts'

/** Security events of an account. The account's holder, staff or a thief can cause them. */
export const SECURITY_EVENTS = [
  'signed_in_from_new_device',
  'recovery_code_used',
  'password_changed',
  'password_reset',
  'email_changed',
  'identity_linked',
  'identity_unlinked',
  'two_factor_enabled',
  'two_factor_disabled',
  'two_factor_reset',
  'recovery_codes_renewed',
  'session_closed',
  'signed_out_everywhere',
  'sessions_revoked',
  'refresh_token_reused',
  'api_token_created',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number]

/** A security event that the holder of the account can look up. */
export class SecurityEvent extends StoreModel {
  static override tableName = 'security_events'

  declare kind: SecurityEventKind
  declare accountType: AccountType
  declare accountId: string
  /** The session that was opened or closed, or whose token was used; null if there is none. */
  declare sessionId: string | null
  declare ip: string | null
  declare userAgent: string | null
  declare createdAt: Date
}

/**
 * Records an event of an account in the transaction that causes it. Events of super-admins are in the platform's audit
 * log.
 */
export async function recordSecurityEvent(
  tx: IdentityTx,
  kind: SecurityEventKind,
  { type, id }: Account,
  { ip, userAgent }: Device,
  { sessionId = null }: { sessionId?: string | null } = {},
): Promise<void> {
  if (!tx.storeId) return
  const accountType = type as AccountType
  await SecurityEvent.in(tx).insert({
    kind,
    accountType,
    accountId: id,
    sessionId,
    ip,
    userAgent,
    createdAt: now(),
  })
}

export const SecurityEventView = Shape({
  id: Uuid,
  kind: Type.Enum([...SECURITY_EVENTS], {
    description:
      'An administrator caused `two_factor_reset` and `sessions_revoked`, and may have caused `email_changed`. ' +
      '`identity_linked`: an identity provider signs in to the account from now on. ' +
      '`refresh_token_reused`: a refresh token was used again long after its exchange, so it may be stolen. ' +
      'More kinds may follow',
  }),
  created_at: Timestamp,
  session_id: Nullable({
    ...Uuid,
    description: 'The session that was opened or closed, or whose token was used, where there is one',
  }),
  ip: Type.String(),
  user_agent: Type.String(),
})

export const viewSecurityEvent = (event: SecurityEvent): Static<typeof SecurityEventView> => ({
  id: event.id,
  kind: event.kind,
  created_at: toTimestamp(event.createdAt),
  session_id: event.sessionId,
  ip: toText(event.ip),
  user_agent: toText(event.userAgent),
})
