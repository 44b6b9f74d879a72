import { MINUTE_MS } from '#shared/platform/time/clock.ts'

/**
 * How long before its cursor each run of `read-missed-notifications` starts to read, because a notification can appear
 * in the gateway's list this long after its creation.
 */
export const NOTIFICATION_OVERLAP_MS = 5 * MINUTE_MS
