import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'

/** The days from the notice of a higher charge to that charge. */
export const NOTICE_DAYS = 14

/** Returns the earliest time of a higher charge whose notice is sent now. */
export const noticeEndsAt = (): Date => inMs(NOTICE_DAYS * DAY_MS)
