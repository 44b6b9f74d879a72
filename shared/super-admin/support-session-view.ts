import { type Static, Type } from 'typebox'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { SupportSession } from './open-support-session.ts'

export const SupportSessionView = Shape({
  session_id: Uuid,
  store_id: Uuid,
  access_token: Type.String({ description: "For the store's admin operations; it cannot be renewed" }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  expires_at: Timestamp,
  reason: Type.String(),
})

/** Returns the session that a super-admin opened in a store. */
export const viewSupportSession = (
  store_id: string,
  reason: string,
  session: SupportSession,
): Static<typeof SupportSessionView> => ({
  session_id: session.sessionId,
  store_id,
  access_token: session.accessToken,
  token_type: 'Bearer' as const,
  expires_in: session.expiresIn,
  expires_at: session.expiresAt.toISOString(),
  reason,
})
