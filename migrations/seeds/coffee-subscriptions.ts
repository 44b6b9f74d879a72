import { LIVES } from '#migrations/seeds/coffee-subscriptions/lives.ts'
import {
  type CoffeeShop,
  type PastSubscription,
  startSubscription,
} from '#migrations/seeds/coffee-subscriptions/past-subscription.ts'
import { createPlans } from '#migrations/seeds/coffee-subscriptions/plans.ts'
import { type Assortment, readAssortment } from '#migrations/seeds/year-of-orders/assortment.ts'
import { Chance } from '#migrations/seeds/year-of-orders/chance.ts'
import { countOrders } from '#migrations/seeds/year-of-orders/count-orders.ts'
import { addCustomers, type PastCustomer } from '#migrations/seeds/year-of-orders/customers.ts'
import { newIdAt, type Year } from '#migrations/seeds/year-of-orders/past-order.ts'
import { drawPerson, type Person } from '#migrations/seeds/year-of-orders/people.ts'
import { addStock } from '#migrations/seeds/year-of-orders/stock.ts'
import { addToColumns, insertRows, Rows } from '#migrations/seeds/year-of-orders/write-rows.ts'
import type { Sellable } from '#shared/catalog/variants/find-sellable.ts'
import { ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { idAt } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, HOUR_MS, now } from '#shared/platform/time/clock.ts'
import { findOwnerIfAny } from '#shared/staff/staff-member.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { remindAtOf } from '#shared/subscriptions/remind-at.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { taxRulesFor } from '#shared/tax/tax-rules.ts'

/** The bags that are subscribed to, and what a new subscriber buys once. */
const COFFEE = ['HG-HBLD-250G-FIL', 'HG-HBLD-250G-ESP']
const EXTRA = 'HG-POUR'
/** Of each coffee: enough for the charges of some years. */
const DELIVERED = 300

/** In the order of their foreign keys. */
const TABLES = [
  ...['customers', 'customer_addresses', 'customer_words', 'orders', 'order_items', 'order_steps'],
  ...['payments', 'shipments', 'shipment_items', 'stock_reservations', 'stock_movements'],
  ...['subscriptions', 'subscription_words', 'subscription_charges'],
]

/**
 * Sells the coffee of a demo store every week, month or year and in three deliveries, with a subscription in each
 * status and its orders up to now. Subscriptions that continue are paid with play money, so that a worker can charge
 * them: the gateway has no cards of the past. Nothing emits events, mails or jobs. Returns the number of subscriptions:
 * 0 for a store without this coffee, or with subscriptions.
 */
export const seedCoffeeSubscriptions = (storeId: string): Promise<number> =>
  inStore(storeId, writeSubscriptions)

async function writeSubscriptions(tx: StoreTx): Promise<number> {
  if (await Subscription.in(tx).select('id').first()) return 0
  const store = await readStore(tx)
  const assortment = await readAssortment(tx, store)
  const coffees = COFFEE.flatMap((sku) => findBySku(assortment, sku) ?? [])
  const shop = openShop(store, assortment)
  if (!coffees[0] || !shop) return 0
  const plans = await createPlans(tx, coffees[0].productId)
  const year = await beginYear(tx, store)
  const groupId = await ensureDefaultGroup(tx)
  const subscribed = LIVES.map(({ plan, days, quantity = 1, paymentMethod = 'sandbox', live }, index) => {
    const at = new Date(year.until.getTime() - days * DAY_MS)
    const customer = drawSubscriber(year, { at, groupId, home: store.country, number: index + 1 })
    const sellable = coffees[index % coffees.length] as Sellable
    const started = { plan: plans[plan], customer, sellable, quantity, paymentMethod, at }
    const past = startSubscription(year, shop, started)
    live(past)
    past.subscription.remindAt = remindAtOf(past.subscription)
    return past
  })
  await write(tx, year, { subscribed, coffees })
  return subscribed.length
}

const findBySku = ({ goods }: Assortment, wanted: string) => goods.find(({ sku }) => sku === wanted)

/** Null when the store does not sell what new subscribers buy, or does not ship to its own country. */
function openShop(store: Store, assortment: Assortment): CoffeeShop | null {
  const extra = findBySku(assortment, EXTRA)
  const terms = assortment.terms.get(store.country ?? '')
  const shipping = terms?.methods[0]
  return extra && shipping
    ? { store, extra, shipping, tax: taxRulesFor({ isTaxExempt: false }, terms.tax) }
    : null
}

async function beginYear(tx: StoreTx, { slug }: Store): Promise<Year> {
  const owner = await findOwnerIfAny(tx)
  return {
    rows: new Rows(tx.storeId),
    chance: new Chance(`${slug} subscriptions`),
    until: now(),
    staff: owner ? `staff:${owner.id}` : 'system',
  }
}

/** A person from the store's own country. */
function drawNeighbour(chance: Chance, home: string | null, number: string): Person {
  const person = drawPerson(chance, home, number)
  return person.address.country === home ? person : drawNeighbour(chance, home, number)
}

/** A customer from the store's own country who registered an hour before. */
function drawSubscriber(
  { chance }: Year,
  { at, groupId, home, number }: { at: Date; groupId: string; home: string | null; number: number },
): PastCustomer {
  const createdAt = new Date(at.getTime() - HOUR_MS)
  return {
    ...drawNeighbour(chance, home, `coffee-${number}`),
    id: idAt(createdAt, chance.bytes(16)),
    addressId: idAt(createdAt, chance.bytes(16)),
    groupId,
    isTaxExempt: false,
    hasTaxNumber: false,
    acceptsMarketing: false,
    createdAt,
    ordersCount: 0,
    totalSpentMinor: 0n,
    lastOrderAt: null,
  }
}

interface Subscribed {
  subscribed: PastSubscription[]
  coffees: Sellable[]
}

async function write(tx: StoreTx, year: Year, { subscribed, coffees }: Subscribed): Promise<void> {
  const customers = subscribed.map(({ customer }) => customer)
  const orders = subscribed.flatMap((past) => past.orders)
  countOrders(orders, customers)
  await addCustomers(tx, year.rows, customers)
  const levels = addStock(year, orders)
  for (const { variantId } of coffees) addDelivery(year, levels, variantId)
  await addToColumns(tx, 'product_variants', levels)
  await insertRows(tx, year.rows, TABLES)
}

function addDelivery(year: Year, levels: Map<string, Record<string, number>>, variantId: string): void {
  const { until: createdAt } = year
  year.rows.add('stock_movements', {
    id: newIdAt(year, createdAt),
    variantId,
    delta: DELIVERED,
    reason: 'adjustment',
    reference: null,
    note: 'Delivery for subscriptions',
    createdAt,
  })
  const level = levels.get(variantId) ?? { stock_on_hand: 0, stock_allocated: 0, stock_held: 0 }
  levels.set(variantId, { ...level, stock_on_hand: (level.stock_on_hand ?? 0) + DELIVERED })
}
