import { MINUTE_MS } from '#shared/platform/time/clock.ts'

/**
 * Each run of `read-missed-notifications` reads the notifications of this time before its cursor again: a notification
 * can appear in the gateway's list this long after its creation.
 */
export const NOTIFICATION_OVERLAP_MS = 5 * MINUTE_MS
