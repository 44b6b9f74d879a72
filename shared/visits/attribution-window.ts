import { DAY_MS, dateIn, now } from '#shared/platform/time/clock.ts'

/** The days for which a click counts for orders, and for which a visitor is the same one in the figures. */
export const WINDOW_DAYS = 30

/** A change of the store's time zone can move the days of clicks by one. */
const KEPT_DAYS = WINDOW_DAYS + 2

/** Returns the first day (YYYY-MM-DD) whose visits are kept: a click of an earlier day counts for no order. */
export const keptFrom = (timeZone: string): string =>
  new Date(Date.parse(dateIn(timeZone, now())) - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)
