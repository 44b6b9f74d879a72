import { DAY_MS, now } from '../platform/clock.ts'
import type { AccountType } from './access-token.ts'

/** How long a session lives without use, and at most (decisions, section 3). */
const IDLE_MS = { customer: 30 * DAY_MS, staff: 7 * DAY_MS }
const LONGEST_MS = 90 * DAY_MS

/** When a session of that age ends, unless it is used again before. */
export function expiryOf(accountType: AccountType, createdAt: Date): Date {
  const idleEnd = now().getTime() + IDLE_MS[accountType]
  return new Date(Math.min(idleEnd, createdAt.getTime() + LONGEST_MS))
}
