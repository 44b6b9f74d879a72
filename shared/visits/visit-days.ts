import { DAY_MS, dateIn, now } from '#shared/platform/time/clock.ts'

/** A day is counted when it has been over for this long, because then no change of the time zone can reopen it. */
const OVER_FOR_DAYS = 2
const KEPT_MONTHS = 13

/**
 * Returns two days (YYYY-MM-DD): visits before `countedBefore` are counted finally, and visits before `keptFrom` are
 * deleted.
 */
export function visitDays(timeZone: string): { countedBefore: string; keptFrom: string } {
  const today = new Date(dateIn(timeZone, now()))
  const countedBefore = new Date(today.getTime() - OVER_FOR_DAYS * DAY_MS)
  const keptFrom = new Date(today)
  keptFrom.setUTCMonth(today.getUTCMonth() - KEPT_MONTHS)
  const toDay = (time: Date) => time.toISOString().slice(0, 10)
  return { countedBefore: toDay(countedBefore), keptFrom: toDay(keptFrom) }
}
