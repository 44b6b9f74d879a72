import { superAdmin } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { PlatformFiguresView, viewFigures } from '#shared/super-admin/figures-view.ts'
import { readFigures } from '#shared/super-admin/read-figures.ts'
import { readPeriod } from './read-period.ts'
import { FiguresQuery } from './schemas.ts'

export const readPlatformFigures = endpoint({
  method: 'get',
  path: '/super-admin/figures',
  access: superAdmin,
  summary: "Read the platform's figures: stores by status, sales by currency",
  description:
    'Days are UTC. Sales count orders that were neither canceled nor failed; revenue is the captured amount less the ' +
    'refunded amount. They are added up every hour, for orders of the last five weeks; `tallied_at` is the time of ' +
    'the last run.',
  query: FiguresQuery,
  returns: [200, PlatformFiguresView],
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
    const period = readPeriod(query)
    return viewFigures(period, await readFigures(period))
  },
})
