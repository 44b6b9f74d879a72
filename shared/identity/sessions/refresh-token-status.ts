import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { RefreshToken } from './refresh-token.ts'

/** Concurrent tabs may present a token for this long after it was exchanged. */
const GRACE_MS = 60 * SECOND_MS

/** More exchanges in one minute than any client makes: a token that was superseded before them counts as reused. */
const MAX_REMEMBERED = 100

/**
 * The relation of a refresh token to its session. `predecessor`: exchanged for the present token, in its grace period.
 * `superseded`: older, and exchanged less than a minute ago. `reused`: exchanged before that, so it was stored.
 */
export type RefreshTokenStatus = 'current' | 'predecessor' | 'superseded' | 'reused' | 'unknown'

/** A session's present refresh token, and those before it. Only SHA-256 hashes are stored. */
export interface TokenHistory {
  /** How often the refresh token was exchanged; 0 marks one from before rotation. */
  generation: number
  token_hash: Buffer
  /** The hash of the token before it. Null for the first token. */
  predecessor_hash: Buffer | null
  /** When the generations before the present one were superseded, the latest first, for the last minute. */
  superseded_at: Date[]
}

export function statusOf(session: TokenHistory, token: RefreshToken): RefreshTokenStatus {
  const age = session.generation - token.generation
  if (age === 0) return token.hash.equals(session.token_hash) ? 'current' : 'unknown'
  // A token from before rotation works once.
  if (age < 0 || token.generation === 0) return 'unknown'
  // No hash is stored of tokens older than the predecessor: only the key that signed them, if it is in use, proves
  // them.
  const isPredecessor = age === 1 && session.predecessor_hash?.equals(token.hash)
  if (!isPredecessor && !token.isSigned) return 'unknown'
  const supersededAt = session.superseded_at[age - 1]
  if (!supersededAt || !isInGrace(supersededAt)) return 'reused'
  return age === 1 ? 'predecessor' : 'superseded'
}

/** When a session's last tokens were superseded, the latest first, with the one that is exchanged now. */
export const supersedingNow = (before: readonly Date[]): Date[] =>
  [now(), ...before.filter(isInGrace)].slice(0, MAX_REMEMBERED)

const isInGrace = (supersededAt: Date): boolean => now().getTime() - supersededAt.getTime() <= GRACE_MS
