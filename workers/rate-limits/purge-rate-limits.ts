import {
  purgeRateLimits as job,
  purgeQuotaWindows,
  purgeThrottleSlots,
} from '#shared/platform/throttle/purge-rate-limits.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes expired quota windows and throttle slots that have been free for long. */
export const purgeRateLimits = handle(job, async (_payload, { signal }) => {
  while (await purgeQuotaWindows()) signal.throwIfAborted()
  await purgeThrottleSlots()
})
