import { Temporal } from 'temporal-polyfill'

export const DURATION_UNITS = ['day', 'week', 'semi_month', 'month', 'year'] as const
export type DurationUnit = (typeof DURATION_UNITS)[number]

/** The time from one charge to the next: a number of units. */
export interface Period {
  duration: number
  durationUnit: DurationUnit
}

/** The hours of a unit. A year has 365 days, and a month is a twelfth of it. So all units are whole numbers. */
const HOURS: Record<DurationUnit, number> = {
  day: 24,
  week: 7 * 24,
  semi_month: (365 * 24) / 24,
  month: (365 * 24) / 12,
  year: 365 * 24,
}

/** Returns the hours of a period, to compare it with another. Equal periods in different units have equal hours. */
export const hoursOf = ({ duration, durationUnit }: Period): number => duration * HOURS[durationUnit]

/** The schedule of a subscription's charges. */
export interface Schedule extends Period {
  /** The number of charges after the trial; 0 for no end. */
  cycle: number
  /** The periods before the first regular one. Each has a charge. */
  trial: (Period & { cycle: number }) | null
}

/**
 * Returns the time of the charge at a position. Positions count from 0: first the charges of the trial, then the
 * regular ones. Regular charges count from the end of the trial, not from the previous charge. So a charge on the 31st
 * that moved to 28 February is on the 31st again in March. The hour is the start's hour in the store's time zone, also
 * in summer time.
 */
export function chargeDate(schedule: Schedule, startedAt: Date, position: number, timeZone: string): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(startedAt.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(dateOfPosition(start, schedule, position).epochMilliseconds)
}

function dateOfPosition(
  start: Temporal.ZonedDateTime,
  { trial, ...regular }: Schedule,
  position: number,
): Temporal.ZonedDateTime {
  if (!trial) return addPeriods(start, regular, position)
  if (position < trial.cycle) return addPeriods(start, trial, position)
  const trialEnd = addPeriods(start, trial, trial.cycle)
  return addPeriods(trialEnd, regular, position - trial.cycle)
}

/** Whether the charge at a position belongs to the trial. */
export const isTrialCharge = ({ trial }: Schedule, position: number): boolean =>
  position < (trial?.cycle ?? 0)

/** Returns the number of the trial's charges from one position to another, which is not counted. */
export function countTrialCharges({ trial }: Schedule, from: number, to: number): number {
  const charges = trial?.cycle ?? 0
  return Math.min(to, charges) - Math.min(from, charges)
}

/** Returns the number of charges including those of the trial; null for no end. */
export const countCharges = ({ cycle, trial }: Schedule): number | null =>
  cycle === 0 ? null : cycle + (trial?.cycle ?? 0)

/** Returns the first position, from `position` on, whose charge is due after `time`. */
export function nextPosition(
  schedule: Schedule,
  startedAt: Date,
  { position, time, timeZone }: { position: number; time: Date; timeZone: string },
): number {
  const isAfter = (at: number) => chargeDate(schedule, startedAt, at, timeZone) > time
  if (isAfter(position)) return position
  let step = 1
  while (!isAfter(position + step)) step *= 2
  let [before, after] = [position + Math.floor(step / 2), position + step]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isAfter(middle)) after = middle
    else before = middle
  }
  return after
}

function addPeriods(
  start: Temporal.ZonedDateTime,
  { duration, durationUnit }: Period,
  periods: number,
): Temporal.ZonedDateTime {
  const count = duration * periods
  if (durationUnit === 'semi_month') return addHalfMonths(start, count)
  return start.add({ [`${durationUnit}s`]: count })
}

/**
 * Adds half months. There are two charges a month: on the day of the start, and 15 days later or earlier. A day after
 * the month's end moves to the month's end. A start on the 1st or 15th charges on both of these days.
 */
function addHalfMonths(start: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
  const days = chargeDaysOf(start.day)
  const halves = days.indexOf(start.day) + count
  const month = start.with({ day: 1 }).add({ months: Math.floor(halves / 2) })
  return month.with({ day: days[halves % 2] as number })
}

function chargeDaysOf(startDay: number): [number, number] {
  if (startDay === 1 || startDay === 15) return [1, 15]
  return startDay < 15 ? [startDay, startDay + 15] : [startDay - 15, startDay]
}
