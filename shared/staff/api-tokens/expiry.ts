import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'

/** Refuses, by 422, an end of a token that is not to come. */
export function assertToCome(end: Date | null | undefined): void {
  // A leap second makes no date at all, which compares as false too.
  if (end && !(end > now()))
    throw invalid(['expires_at'], 'Give a time to come, or null for a token that never ends', end)
}
