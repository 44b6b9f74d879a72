import {
  purgeRateLimits as job,
  purgeLanes,
  purgeWindows,
} from '#shared/platform/throttle/purge-rate-limits.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the counts of limits whose window has ended, and lanes that have rested. */
export const purgeRateLimits = handle(job, async (_payload, { signal }) => {
  while (await purgeWindows()) signal.throwIfAborted()
  await purgeLanes()
})
