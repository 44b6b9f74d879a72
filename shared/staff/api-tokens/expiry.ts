import { invalid } from '#shared/platform/http/validation.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Refuses, by 422, an end of a token that is not to come. */
export function assertToCome(end: Date | null | undefined): void {
  // A leap second makes no date at all, which compares as false too.
  if (end && !(end > now()))
    throw invalid(['body', 'expires_at'], 'Give a time to come, or null for a token that never ends', end)
}
