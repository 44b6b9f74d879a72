import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { SECURITY_EVENTS, type SecurityEvent } from './security-event.ts'

export const SecurityEventView = Shape({
  id: Uuid,
  kind: Type.Enum([...SECURITY_EVENTS], {
    description:
      '`two_factor_reset` and `sessions_revoked` were done by an administrator, as `email_changed` may have been. ' +
      '`refresh_token_reused`: somebody came with a token that had long been exchanged, so it may have been stolen. ' +
      'More kinds may follow',
  }),
  created_at: Timestamp,
  session_id: Nullable({
    ...Uuid,
    description: 'The session that was opened or closed, or whose token it was, where it was one',
  }),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
})

/** What befell an account, as its holder sees it. */
export const viewSecurityEvent = (event: SecurityEvent): Static<typeof SecurityEventView> => ({
  id: event.id,
  kind: event.kind,
  created_at: toTimestamp(event.createdAt),
  session_id: event.sessionId,
  ip: event.ip,
  user_agent: event.userAgent,
})
