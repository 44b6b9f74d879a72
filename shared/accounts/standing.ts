import { now, SECOND_MS } from '../platform/clock.ts'
import type { RefreshToken } from './refresh-token.ts'
import type { Session } from './session.ts'

/** Concurrent tabs may still come with a token for this long after it was exchanged (interface document, 5.2). */
const GRACE_MS = 60 * SECOND_MS

/**
 * How a refresh token stands to its session. `predecessor`: the one before the present, in its grace period.
 * `recent`: older, yet exchanged less than a minute ago. `stale`: exchanged before that, so somebody kept it.
 */
export type Standing = 'current' | 'predecessor' | 'recent' | 'stale' | 'unknown'

export function standingOf(
  session: Pick<Session, 'generation' | 'tokenHash' | 'supersededAt'>,
  token: RefreshToken,
): Standing {
  const age = session.generation - token.generation
  if (age === 0) return token.hash.equals(session.tokenHash) ? 'current' : 'unknown'
  // A superseded token from before rotation left no hash that could prove it genuine.
  if (age < 0 || token.generation === 0) return 'unknown'
  const supersededAt = session.supersededAt[age - 1]
  if (!supersededAt || !isInGrace(supersededAt)) return 'stale'
  return age === 1 ? 'predecessor' : 'recent'
}

/** Whether a token superseded at that moment is still in its grace period. */
export const isInGrace = (supersededAt: Date): boolean => now().getTime() - supersededAt.getTime() <= GRACE_MS
