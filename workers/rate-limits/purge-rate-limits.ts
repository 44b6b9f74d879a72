import {
  purgeRateLimits as job,
  purgeQuotaWindows,
  purgeThrottleSlots,
} from '#shared/platform/throttle/purge-rate-limits.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the counts of limits whose window has ended, and lanes that have rested. */
export const purgeRateLimits = handle(job, async (_payload, { signal }) => {
  while (await purgeQuotaWindows()) signal.throwIfAborted()
  await purgeThrottleSlots()
})
