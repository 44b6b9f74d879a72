import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import type { Chance } from './chance.ts'

export const DAYS = 365
const SUNDAY = 0
const SATURDAY = 6
const DECEMBER = 11
const NOVEMBER = 10
/** Weights of the hours of a day (UTC): few orders at night, most in the evening. */
const HOURS = [1, 0, 0, 0, 0, 1, 2, 4, 5, 6, 6, 6, 7, 6, 6, 6, 7, 8, 10, 12, 12, 9, 5, 2]

/**
 * The times of `count` orders within the 365 days before `until`, oldest first. The store grows, sells more on weekends
 * and most in December.
 */
export function orderTimes(count: number, until: Date, chance: Chance): Date[] {
  const start = until.getTime() - DAYS * DAY_MS
  const hours = Array.from({ length: DAYS * 24 }, (_, hour) => new Date(start + hour * HOUR_MS))
  const weights = hours.map((hour, index) => weightOf(hour, index / hours.length))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const times: Date[] = []
  let hour = 0
  let reached = weights[0] as number
  for (let index = 0; index < count; index++) {
    const wanted = ((index + chance.next()) / count) * total
    while (reached < wanted && hour < hours.length - 1) reached += weights[++hour] as number
    times.push(new Date((hours[hour] as Date).getTime() + chance.below(HOUR_MS)))
  }
  return times.sort((one, other) => one.getTime() - other.getTime())
}

function weightOf(hour: Date, share: number): number {
  const day = hour.getUTCDay()
  const growth = 0.7 + 0.6 * share
  const week = day === SATURDAY || day === SUNDAY ? 1.5 : 1
  return growth * week * seasonOf(hour) * (HOURS[hour.getUTCHours()] as number)
}

function seasonOf(hour: Date): number {
  const month = hour.getUTCMonth()
  if (month === DECEMBER && hour.getUTCDate() <= 23) return 2
  return month === NOVEMBER ? 1.2 : 1
}
