import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { RefreshToken } from './refresh-token.ts'

/** Concurrent tabs may present a token this long after it was exchanged. */
const GRACE_MS = 60 * SECOND_MS

/**
 * The number of remembered exchanges. No client makes more in one minute. A token from before them counts as reused.
 */
const MAX_REMEMBERED = 100

/**
 * The relation of a refresh token to its session. `predecessor`: exchanged for the present token, within the grace
 * period. `superseded`: older, but exchanged less than a minute ago. `reused`: exchanged longer ago, so somebody stored
 * it.
 */
export type RefreshTokenStatus = 'current' | 'predecessor' | 'superseded' | 'reused' | 'unknown'

/** The refresh tokens of a session. Only SHA-256 hashes are stored. */
export interface TokenHistory {
  /** The number of exchanges; 0 for a token that was issued before rotation existed. */
  generation: number
  token_hash: Buffer
  /** The hash of the previous token; null for the first token. */
  predecessor_hash: Buffer | null
  /** The times of the last minute at which earlier generations were superseded, the latest first. */
  superseded_at: Date[]
}

export function statusOf(session: TokenHistory, token: RefreshToken): RefreshTokenStatus {
  const age = session.generation - token.generation
  if (age === 0) return token.hash.equals(session.token_hash) ? 'current' : 'unknown'
  // A token that was issued before rotation existed works once.
  if (age < 0 || token.generation === 0) return 'unknown'
  // Hashes of tokens before the predecessor are not stored. Only the signature proves them, while its key is in use.
  const isPredecessor = age === 1 && session.predecessor_hash?.equals(token.hash)
  if (!isPredecessor && !token.isSigned) return 'unknown'
  const supersededAt = session.superseded_at[age - 1]
  if (!supersededAt || !isInGrace(supersededAt)) return 'reused'
  return age === 1 ? 'predecessor' : 'superseded'
}

/** Returns the times at which a session's last tokens were superseded, the latest first. The first one is now. */
export const supersedingNow = (before: readonly Date[]): Date[] =>
  [now(), ...before.filter(isInGrace)].slice(0, MAX_REMEMBERED)

const isInGrace = (supersededAt: Date): boolean => now().getTime() - supersededAt.getTime() <= GRACE_MS
