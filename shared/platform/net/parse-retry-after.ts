import { SECOND_MS } from '#shared/platform/time/clock.ts'

/** Parses a Retry-After header (RFC 9110: seconds or a date) into milliseconds. Null when it is missing or invalid. */
export function parseRetryAfter(header: string | undefined, at: Date): number | null {
  if (!header) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime())
}
