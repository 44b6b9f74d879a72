import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { RefreshToken } from './refresh-token.ts'
import type { Session } from './session.ts'

/** Concurrent tabs may still come with a token for this long after it was exchanged (interface document, 5.2). */
const GRACE_MS = 60 * SECOND_MS

/** More exchanges in one minute than any client makes: what was superseded before them counts as long ago. */
const MOST_REMEMBERED = 100

/**
 * How a refresh token stands to its session. `predecessor`: the one before the present, in its grace period.
 * `recent`: older, yet exchanged less than a minute ago. `stale`: exchanged before that, so somebody kept it.
 */
export type Standing = 'current' | 'predecessor' | 'recent' | 'stale' | 'unknown'

export function standingOf(
  session: Pick<Session, 'generation' | 'tokenHash' | 'predecessorHash' | 'supersededAt'>,
  token: RefreshToken,
): Standing {
  const age = session.generation - token.generation
  if (age === 0) return token.hash.equals(session.tokenHash) ? 'current' : 'unknown'
  // One from before rotation works once (decisions, section 3).
  if (age < 0 || token.generation === 0) return 'unknown'
  // Of those before the predecessor no hash is left: the key alone can tell, and may be gone.
  const isPredecessor = age === 1 && session.predecessorHash?.equals(token.hash)
  if (!isPredecessor && !token.isSigned) return 'unknown'
  const supersededAt = session.supersededAt[age - 1]
  if (!supersededAt || !isInGrace(supersededAt)) return 'stale'
  return age === 1 ? 'predecessor' : 'recent'
}

/** When a session's last tokens were superseded, the latest first, with the one that is exchanged now. */
export const supersedingNow = (before: readonly Date[]): Date[] =>
  [now(), ...before.filter(isInGrace)].slice(0, MOST_REMEMBERED)

const isInGrace = (supersededAt: Date): boolean => now().getTime() - supersededAt.getTime() <= GRACE_MS
