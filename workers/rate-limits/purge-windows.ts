import { purgeRateLimits as job, purgeWindows } from '#shared/platform/purge-rate-limits.ts'
import { handle } from '../platform/handle.ts'

/** Deletes the counts of limits whose window has ended. */
export const purgeRateLimits = handle(job, async (_payload, { signal }) => {
  while (await purgeWindows()) signal.throwIfAborted()
})
