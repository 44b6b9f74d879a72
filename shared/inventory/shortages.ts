import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toSqlList } from '#shared/platform/states.ts'
import { readReservations } from './deferred-moves.ts'
import { OPEN_RESERVATION_STATUSES } from './states.ts'

const OPEN = toSqlList(OPEN_RESERVATION_STATUSES)

/** The units that an order has reserved but that are not on hand. */
export interface Shortage {
  variantId: string
  /** The reserved units of the order. */
  quantity: number
  /** The number of missing units. */
  short: number
}

/**
 * SQL: the open reservations with too few units on hand. Columns: `order_id`, `variant_id`, `quantity`, `short`. A
 * count or an import can leave fewer units than are reserved. The oldest orders get the units first; ids sort by time.
 * A variant on backorder is never short. `variants` is a condition on variants, with the alias `v`.
 */
const shortagesSql = (variants = 'true') => `
  select order_id, variant_id, quantity, least(quantity, needed - stock_on_hand)::int as short
  from (
    select r.order_id, r.variant_id, r.quantity, v.stock_on_hand,
      sum(r.quantity) over (partition by r.variant_id order by r.order_id) as needed
    from product_variants v
    join stock_reservations r
      on r.store_id = v.store_id and r.variant_id = v.id and r.status in ${OPEN}
    where v.store_id = ${CURRENT_STORE} and not v.backorder
      and v.stock_on_hand < v.stock_allocated + v.stock_held and ${variants}) queue
  where needed > stock_on_hand`

/** SQL: the ids of the orders with too few units on hand. */
export const SHORT_ORDER_IDS = `select order_id from (${shortagesSql()}) shortages`

const OF_ORDER = `v.id in (
  select variant_id from stock_reservations
  where store_id = ${CURRENT_STORE} and order_id = $1::uuid and status in ${OPEN})`

const FIND_SHORTAGES: Statement = {
  name: 'find_shortages',
  text: `
  select variant_id as "variantId", quantity, short
  from (${shortagesSql(OF_ORDER)}) shortages where order_id = $1::uuid`,
}

const COUNT_SHORT_ORDERS: Statement = {
  name: 'count_short_orders',
  text: `select count(*)::int as orders from (${shortagesSql('v.id = $1::uuid')}) shortages`,
}

// Lock variants by ascending id, as every statement that changes levels does.
const LOCK_RESERVED_VARIANTS: Statement = {
  name: 'lock_reserved_variants',
  text: `
  select v.id from product_variants v where v.store_id = ${CURRENT_STORE} and ${OF_ORDER}
  order by v.id for no key update`,
}

/** Returns the shortages of an order. Lock its variants by `lockReservedVariants` before you decide by them. */
export const findShortages = (tx: StoreTx, orderId: string): Promise<Shortage[]> =>
  readReservations<Shortage>(tx, FIND_SHORTAGES, orderId)

/** Returns the number of orders that are short of a variant. */
export async function countShortOrders(tx: StoreTx, variantId: string): Promise<number> {
  const [row] = await tx.prepared<{ orders: number }>(COUNT_SHORT_ORDERS, [variantId])
  return row?.orders ?? 0
}

/**
 * Locks the variants that an order has reserved. The caller has locked the order. The next statement sees every count
 * and reservation that was made before.
 */
export async function lockReservedVariants(tx: StoreTx, orderId: string): Promise<void> {
  await readReservations(tx, LOCK_RESERVED_VARIANTS, orderId)
}
