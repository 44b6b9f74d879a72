import { DAY_MS, dateIn, now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'

/** A range of days in a store's calendar, both inclusive. */
export interface Range {
  /** YYYY-MM-DD */
  dateFrom: string
  dateTo: string
}

const DEFAULT_DAYS = 30
export const MAX_DAYS = 3_660

/** Adds calendar days. A day of 23 or 25 hours counts as one day. */
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

export const daysOf = ({ dateFrom, dateTo }: Range): number =>
  (Date.parse(dateTo) - Date.parse(dateFrom)) / DAY_MS + 1

/**
 * Returns the requested range. By default it has 30 days and ends today, in the store's time zone. Throws 422 for an
 * invalid range.
 */
export function rangeOf(request: { date_from?: string; date_to?: string }, timeZone: string): Range {
  const dateTo = request.date_to ?? dateIn(timeZone, now())
  const range = { dateFrom: request.date_from ?? addDays(dateTo, 1 - DEFAULT_DAYS), dateTo }
  const days = daysOf(range)
  if (days < 1) throw invalid(['date_from'], 'Use a date that is not after date_to', request.date_from)
  if (days > MAX_DAYS) throw invalid(['date_from'], `Use at most ${MAX_DAYS} days`, request.date_from)
  return range
}

/** Returns the range of the same length right before a range. */
export function previousRange(range: Range): Range {
  const days = daysOf(range)
  return { dateFrom: addDays(range.dateFrom, -days), dateTo: addDays(range.dateFrom, -1) }
}
