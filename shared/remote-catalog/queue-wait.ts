import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/** Returns the time in ms until a call may start with `ahead` other calls before it; 0 or less: immediately. */
export const queueWaitMs = (ahead: number, { burst, perSecond }: ThrottleRate): number =>
  ((ahead + 1 - burst) / perSecond) * SECOND_MS
