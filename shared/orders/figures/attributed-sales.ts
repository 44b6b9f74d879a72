import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { COUNTS_AS_SALE } from './customer-figures.ts'

/** The number of orders that links led to, and their revenue: captured less refunded, in minor units. */
export interface AttributedSales {
  orders: number
  revenueMinor: bigint
}

interface Row extends AttributedSales {
  id: string
}

/** A period in the store's days (YYYY-MM-DD), both inclusive. */
export interface Days {
  from: string
  to: string
  timeZone: string
}

const FIGURES = `count(*)::int as orders,
  coalesce(sum(amount_captured_minor - amount_refunded_minor), 0)::bigint as "revenueMinor"`

/** Returns the sales of campaigns or affiliates by id. One without orders has no entry. */
export async function sumAttributedSales(
  tx: StoreTx,
  column: 'campaign_id' | 'affiliate_id',
  ids: readonly string[],
): Promise<Map<string, AttributedSales>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.knex.raw<{ rows: Row[] }>(
    `select ${column} as id, ${FIGURES} from orders
     where store_id = ? and ${column} = any(?) and ${COUNTS_AS_SALE} group by 1`,
    [tx.storeId, [...ids]],
  )
  return new Map(rows.map(({ id, ...sales }) => [id, sales]))
}

/** Returns the sales of a campaign by the day of its orders, in the store's time zone. */
export async function readCampaignSalesByDay(
  tx: StoreTx,
  campaignId: string,
  { from, to, timeZone }: Days,
): Promise<(AttributedSales & { day: string })[]> {
  const { rows } = await tx.knex.raw<{ rows: (AttributedSales & { day: string })[] }>(
    `select (created_at at time zone :timeZone)::date::text as day, ${FIGURES} from orders
     where store_id = :store and campaign_id = :campaignId and ${COUNTS_AS_SALE}
       and created_at >= :from::date::timestamp at time zone :timeZone
       and created_at < (:to::date + 1)::timestamp at time zone :timeZone
     group by 1`,
    { store: tx.storeId, campaignId, from, to, timeZone },
  )
  return rows
}
