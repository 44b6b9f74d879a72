import { db } from '#shared/platform/db/db.ts'
import { toMajor } from '#shared/platform/money.ts'
import { countStores } from '#shared/stores/list-stores.ts'
import type { StoreStatus } from '#shared/stores/states.ts'

/** Days in UTC, both inclusive: `2026-09-12`. */
export interface FiguresPeriod {
  from: string
  to: string
}

export interface Figures {
  stores: Record<StoreStatus, number>
  /** The orders without canceled and failed ones. Revenue is captured less refunded, in major units. */
  sales: { currency: string; orders: number; revenue: number }[]
  /** The time at which the worker last added up the sales. */
  talliedAt: Date | null
}

/** Returns the platform's figures for a period. The worker has added up the sales. */
export async function readFigures({ from, to }: FiguresPeriod): Promise<Figures> {
  const stores = await countStores()
  const rows = await db()('platform_daily_figures')
    .whereBetween('day', [from, to])
    .groupBy('currency')
    .orderBy('currency')
    .select('currency', db().raw('sum(orders)::int as orders, sum(revenue_minor)::bigint as revenue'))
  const last = await db()('platform_daily_figures').max({ at: 'tallied_at' }).first()
  return {
    stores,
    sales: rows.map(({ currency, orders, revenue }) => ({
      currency,
      orders,
      revenue: toMajor(revenue, currency),
    })),
    talliedAt: last?.at ?? null,
  }
}
