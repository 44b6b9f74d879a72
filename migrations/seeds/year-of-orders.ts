import { createCoupons, readAssortment } from '#migrations/seeds/year-of-orders/assortment.ts'
import { orderTimes } from '#migrations/seeds/year-of-orders/calendar.ts'
import { Chance } from '#migrations/seeds/year-of-orders/chance.ts'
import { countOrders } from '#migrations/seeds/year-of-orders/count-orders.ts'
import { addCustomers, drawCustomers, hasBuyers } from '#migrations/seeds/year-of-orders/customers.ts'
import { drawOrder } from '#migrations/seeds/year-of-orders/draw-order.ts'
import { livesOf } from '#migrations/seeds/year-of-orders/lives.ts'
import type { Year } from '#migrations/seeds/year-of-orders/past-order.ts'
import { addStock } from '#migrations/seeds/year-of-orders/stock.ts'
import { addToColumns, insertRows, Rows } from '#migrations/seeds/year-of-orders/write-rows.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findOwnerIfAny } from '#shared/staff/staff-member.ts'
import { readStore } from '#shared/stores/store.ts'

const ORDERS = 1_000

/** In the order of their foreign keys. */
const TABLES = [
  ...['customers', 'customer_addresses', 'customer_words', 'orders', 'order_items', 'order_steps'],
  ...['coupon_uses', 'payments', 'shipments', 'shipment_items', 'refunds', 'refund_items'],
  ...['returns', 'return_words', 'return_items', 'stock_reservations', 'stock_movements'],
]

/**
 * Adds 200 customers and 1,000 orders of the last 365 days to a store with a catalog. The orders have all statuses,
 * with payments, shipments, refunds, returns and stock movements. The available stock stays the same. Nothing emits
 * events, mails or jobs. A second run at the same time would draw the same orders. Returns the number of orders: 0 for
 * a store that has such customers already, sells nothing or ships nowhere.
 */
export const seedYearOfOrders = (storeId: string): Promise<number> => inStore(storeId, writeYear)

async function writeYear(tx: StoreTx): Promise<number> {
  if (await hasBuyers(tx)) return 0
  const store = await readStore(tx)
  const assortment = await readAssortment(tx, store)
  if (assortment.goods.length === 0 || assortment.terms.size === 0) return 0
  const owner = await findOwnerIfAny(tx)
  const year: Year = {
    rows: new Rows(tx.storeId),
    chance: new Chance(`${store.slug} orders`),
    until: now(),
    staff: owner ? `staff:${owner.id}` : 'system',
  }
  const times = orderTimes(ORDERS, year.until, new Chance(`${store.slug} calendar`))
  const { customers, buyers } = await drawCustomers(tx, store, times)
  const shop = { store, assortment, coupons: await createCoupons(tx, store) }
  const lifeAt = livesOf(store, year.until)
  const orders = times.map((at, index) => {
    const life = lifeAt(at)
    const past = drawOrder(year, shop, { at, buyer: buyers[index] ?? null, life })
    life.live(past)
    return past
  })
  countOrders(orders, customers)
  await addCustomers(tx, year.rows, customers)
  const levels = addStock(year, orders)
  await addToColumns(tx, 'product_variants', levels)
  await insertRows(tx, year.rows, TABLES)
  await addToColumns(tx, 'coupons', countUses(year.rows))
  return orders.length
}

/** The number of uses of each coupon that were not released. */
function countUses(rows: Rows): Map<string, { uses_count: number }> {
  const uses = rows.of('coupon_uses') as { couponId: string; releasedAt: Date | null }[]
  const counted = Map.groupBy(
    uses.filter(({ releasedAt }) => !releasedAt),
    ({ couponId }) => couponId,
  )
  return new Map([...counted].map(([id, { length }]) => [id, { uses_count: length }]))
}
