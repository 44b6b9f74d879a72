import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { Session } from './session.ts'

export const SessionView = Shape({
  id: Uuid,
  current: Type.Boolean({ description: 'The session of this request' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
})

/** What a session's owner sees of it, whether it is one of a store's or of the platform's. */
export type ListedSession = Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'ip' | 'userAgent'>

/** A session as its owner sees it, among whom `currentId` asks. */
export const viewSession = (session: ListedSession, currentId: string): Static<typeof SessionView> => ({
  id: session.id,
  current: session.id === currentId,
  created_at: toTimestamp(session.createdAt),
  last_used_at: toTimestamp(session.lastUsedAt),
  ip: session.ip,
  user_agent: session.userAgent,
})
