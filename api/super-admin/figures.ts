import { superAdmin } from '#api/platform/auth/access.ts'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { readFigures } from '#shared/super-admin/read-figures.ts'
import { FiguresQuery, FiguresView } from './schemas.ts'

export const readPlatformFigures = endpoint({
  method: 'get',
  path: '/super-admin/figures',
  access: superAdmin,
  summary: "Read the platform's figures: stores by status, sales by currency",
  description:
    'Days are UTC. Sales count orders that were neither canceled nor failed; revenue is what was captured less what ' +
    'was refunded. They are added up every hour, for orders of the last five weeks: `tallied_at` says when.',
  query: FiguresQuery,
  returns: [200, FiguresView],
  example: {
    data: {
      date_from: '2026-09-12',
      date_to: '2026-10-11',
      stores: { active: 41, suspended: 1, deleted: 2 },
      sales: [{ currency: 'EUR', orders: 1_204, revenue: 98_410.5 }],
      tallied_at: '2026-10-11T09:07:00.000Z',
    },
  },
  async handle({ query }) {
    const [from, to] = daysOf(query)
    const { stores, sales, talliedAt } = await readFigures(from, to)
    return { date_from: from, date_to: to, stores, sales, tallied_at: toTimestampOrNull(talliedAt) }
  },
})

/** The first that a query can name. */
const FIRST_DAY = '0001-01-01'

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function monthUpTo(day: string): string {
  const from = dayOf(new Date(Date.parse(day) - 29 * DAY_MS))
  return from < FIRST_DAY ? FIRST_DAY : from
}

function daysOf({ date_from, date_to }: { date_from?: string; date_to?: string }): [string, string] {
  const to = date_to ?? dayOf(now())
  const from = date_from ?? monthUpTo(to)
  if (from > to) throw invalidQuery('date_from', 'date_from must not be after date_to', from)
  return [from, to]
}
