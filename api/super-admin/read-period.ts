import type { Static } from 'typebox'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import type { FiguresPeriod } from '#shared/super-admin/read-figures.ts'
import type { FiguresQuery } from './schemas.ts'

/** The earliest date of the format `YYYY-MM-DD`. */
const FIRST_DAY = '0001-01-01'

/** Returns the period of a query. By default it has 30 days and ends today. Throws 422 if it ends before it starts. */
export function readPeriod({ date_from, date_to }: Static<typeof FiguresQuery>): FiguresPeriod {
  const to = date_to ?? dayOf(now())
  const from = date_from ?? monthUpTo(to)
  if (from > to) throw invalidQuery('date_from', 'date_from must not be after date_to', from)
  return { from, to }
}

function monthUpTo(day: string): string {
  const from = dayOf(new Date(Date.parse(day) - 29 * DAY_MS))
  return from < FIRST_DAY ? FIRST_DAY : from
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
