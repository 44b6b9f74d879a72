import { chargeDate, nextPosition } from '#shared/recurring-plans/schedule.ts'
import type { Subscription } from './subscription.ts'

/** The columns of a subscription that set its next charge. */
type Scheduled = Pick<Subscription, 'terms' | 'scheduleFrom' | 'position'>

export interface NextSchedule {
  position: number
  nextChargeAt: Date
  dueAt: Date
}

interface ScheduleOptions {
  time: Date
  /** The time zone of the store. */
  timeZone: string
  /** Whether to skip overdue charges. */
  skipMissed: boolean
  /** The earliest time of an overdue charge. */
  notBefore: Date
}

/** Returns the position and date of the next charge of an active subscription, and the time at which it is made. */
export function nextSchedule(
  { terms, scheduleFrom, position: current }: Scheduled,
  { time, timeZone, skipMissed, notBefore }: ScheduleOptions,
): NextSchedule {
  const position = skipMissed
    ? nextPosition(terms, scheduleFrom, { position: current, time, timeZone })
    : current
  const nextChargeAt = chargeDate(terms, scheduleFrom, position, timeZone)
  const isOverdue = nextChargeAt <= time && nextChargeAt <= notBefore
  return { position, nextChargeAt, dueAt: isOverdue ? notBefore : nextChargeAt }
}
