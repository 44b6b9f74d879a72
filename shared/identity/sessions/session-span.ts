import { DAY_MS, HOUR_MS, now } from '#shared/platform/time/clock.ts'

/**
 * How long a session lives without use, and at most (decisions, section 3). Who runs the platform signs in every
 * morning.
 */
const IDLE_MS = { customer: 30 * DAY_MS, staff: 7 * DAY_MS, super_admin: 12 * HOUR_MS }
const LONGEST_MS = 90 * DAY_MS

/** When a session of that age ends, unless it is used again before. */
export function expiryOf(holder: keyof typeof IDLE_MS, createdAt: Date): Date {
  const idleEnd = now().getTime() + IDLE_MS[holder]
  return new Date(Math.min(idleEnd, createdAt.getTime() + LONGEST_MS))
}
