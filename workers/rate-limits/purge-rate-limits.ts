import {
  purgeRateLimits as job,
  purgeQuotaWindows,
  purgeThrottleSlots,
  purgeThrottleSuspensions,
} from '#shared/platform/throttle/purge-rate-limits.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes expired quota windows, throttle slots that have been free for long, and ended suspensions. */
export const purgeRateLimits = handle(job, async (_payload, { signal }) => {
  for (const purge of [purgeQuotaWindows, purgeThrottleSlots, purgeThrottleSuspensions])
    while (await purge()) signal.throwIfAborted()
})
