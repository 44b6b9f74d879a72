import { customerGroupSql } from '#shared/customers/customer-group.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import { basePriceSql, rulesOfGroupSql } from './current-price.ts'

/** The kinds of prices. Of equal prices the first kind applies. */
export const PRICE_KINDS = ['base', 'sale', 'special', 'quantity', 'customer_group'] as const

/** A price of a variant, whether it applies now or not. */
export interface PriceCandidate {
  kind: (typeof PRICE_KINDS)[number]
  priceMinor: bigint
  /** The number of units of one line from which it applies. */
  minQuantity: number
  startsAt: Date | null
  endsAt: Date | null
}

const CANDIDATES = namedStatement(
  'price_candidates',
  { variantIds: 'uuid[]', customerId: 'uuid', max: 'integer' },
  ({ variantIds, customerId, max }) => `
    select id, json_agg(json_build_object('rank', rank, 'price', price, 'min_quantity', min_quantity,
      'starts_at', starts_at, 'ends_at', ends_at) order by rank, min_quantity, price)
    from (
      select v.id, c.*
      from product_variants v
      join products p on p.store_id = v.store_id and p.id = v.product_id
      cross join lateral (
        select 0 as rank, ${basePriceSql('v', 'p')} as price, 1 as min_quantity,
          null::timestamptz as starts_at, null::timestamptz as ends_at
        union all
        select 1, v.sale_price_minor, 1, v.sale_starts_at, v.sale_ends_at where v.sale_price_minor is not null
        union all
        select case when r.customer_group_id is not null then 4 when r.min_quantity = 1 then 2 else 3 end,
          r.price_minor, r.min_quantity, r.starts_at, r.ends_at
        ${rulesOfGroupSql('p', customerGroupSql(customerId))}) c
      where v.store_id = ${CURRENT_STORE} and v.id = any(${variantIds})
      limit ${max} + 1) candidates
    group by id`,
)

interface CandidateRow {
  /** The index of the kind in `PRICE_KINDS`. */
  rank: number
  price: number
  min_quantity: number
  starts_at: string | null
  ends_at: string | null
}

/**
 * Returns all prices of variants for a customer, or for a guest (null), by variant id, or null if there are more than
 * `max`. Carts use the lowest price that applies.
 */
export async function findPriceCandidates(
  storeId: string,
  variantIds: string[],
  { customerId, max }: { customerId: string | null; max: number },
): Promise<Map<string, PriceCandidate[]> | null> {
  const values = CANDIDATES.values({ variantIds: `{${variantIds.join()}}`, customerId, max: `${max}` })
  const rows = await readInStore(storeId, CANDIDATES, values)
  const candidates = new Map<string, PriceCandidate[]>()
  let count = 0
  for (const [id, json] of rows) {
    const ofVariant = JSON.parse(json ?? '[]') as CandidateRow[]
    count += ofVariant.length
    if (count > max) return null
    candidates.set(id ?? '', ofVariant.map(toCandidate))
  }
  return candidates
}

const toCandidate = ({ rank, price, min_quantity, starts_at, ends_at }: CandidateRow): PriceCandidate => ({
  kind: PRICE_KINDS[rank] ?? 'base',
  priceMinor: BigInt(price),
  minQuantity: min_quantity,
  startsAt: starts_at === null ? null : new Date(starts_at),
  endsAt: ends_at === null ? null : new Date(ends_at),
})
