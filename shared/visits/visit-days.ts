import { DAY_MS, dateIn, now } from '#shared/platform/time/clock.ts'

/** A day is counted once it has been over for two days: then no change of the store's time zone brings it back. */
const COUNTED_AFTER_DAYS = 3
const KEPT_MONTHS = 13

/** The days (YYYY-MM-DD) before which visits are counted for good, and before which they are deleted. */
export function visitDays(timeZone: string): { countedBefore: string; keptFrom: string } {
  const today = new Date(dateIn(timeZone, now()))
  const countedBefore = new Date(today.getTime() - (COUNTED_AFTER_DAYS - 1) * DAY_MS)
  const keptFrom = new Date(today)
  keptFrom.setUTCMonth(today.getUTCMonth() - KEPT_MONTHS)
  const toDay = (time: Date) => time.toISOString().slice(0, 10)
  return { countedBefore: toDay(countedBefore), keptFrom: toDay(keptFrom) }
}
