import {
  type AttributedSales,
  type Days,
  readCampaignSalesByDay,
} from '#shared/orders/figures/attributed-sales.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { countVisitsByDay } from '#shared/visits/count-visits.ts'
import { findCampaign } from './campaign.ts'

/** Visits and sales of a day, or of all days. */
export interface CampaignFigures extends AttributedSales {
  visits: number
}

export interface CampaignStats extends CampaignFigures {
  days: (CampaignFigures & { day: string })[]
  visitors: number
}

/** Returns the visits and sales of a campaign for each day of the period. Throws `resource.not_found`. */
export async function readCampaignStats(tx: StoreTx, id: string, period: Days): Promise<CampaignStats> {
  await findCampaign(tx, id)
  const visits = await countVisitsByDay(tx, id, period)
  const sales = await readCampaignSalesByDay(tx, id, period)
  const visitsOf = new Map(visits.days.map(({ day, visits }) => [day, visits]))
  const salesOf = new Map(sales.map(({ day, orders, revenueMinor }) => [day, { orders, revenueMinor }]))
  const days = daysOf(period).map((day) => ({
    day,
    visits: visitsOf.get(day) ?? 0,
    ...(salesOf.get(day) ?? { orders: 0, revenueMinor: 0n }),
  }))
  return { ...addUp(days), visitors: visits.visitors, days }
}

const addUp = (days: readonly CampaignFigures[]): CampaignFigures => ({
  visits: days.reduce((total, { visits }) => total + visits, 0),
  orders: days.reduce((total, { orders }) => total + orders, 0),
  revenueMinor: sum(days.map(({ revenueMinor }) => revenueMinor)),
})

function daysOf({ from, to }: Days): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10),
  )
}
