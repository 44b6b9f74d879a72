import pg from 'pg'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass } from '#test/support/builders/taxes.ts'
import { ENTRIES, LINES, ORDERS, REFUNDS, RETURNS, USES, VISITS, VOUCHERS } from './report-rows.ts'

const PRODUCTS = 300
const FEW = 20

async function several(count: number, build: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await build()
}

/**
 * A store with this many orders in the last 365 days, two lines each, of a fifth as many customers: paid, refunded,
 * returned, with coupons, taxes, gift vouchers, campaigns and affiliates. A superuser writes them in SQL, as rows that
 * the service could have written, without triggers: a million orders take minutes, not hours.
 */
export async function fillYear(orders: number, superuserUrl: string): Promise<{ id: string }> {
  const store = await buildStore({ country: 'DE', timeZone: 'Europe/Berlin' })
  const { id: classId } = await buildTaxClass(store, { isDefault: true })
  await several(PRODUCTS, () => buildProduct(store, { taxClassId: classId }))
  await buildShippingMethod(store)
  await several(FEW, () => buildCoupon(store))
  await several(FEW, () => buildCampaign(store))
  await several(FEW, () => buildAffiliate(store))
  const { id: customerId } = await buildCustomer(store)
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'",
    )
    await client.query(valuesFor({ store: store.id, classId, customerId, orders }))
    for (const rows of [BUYERS, ORDERS, LINES, REFUNDS, RETURNS, USES, ENTRIES, VOUCHERS, VISITS])
      await client.query(rows)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  return store
}

/** The values that the statements share, as a table of one row, and the parts of the orders by their place. */
const valuesFor = (given: { store: string; classId: string; customerId: string; orders: number }) => `
  create temp table given as select '${given.store}'::uuid as store, '${given.classId}'::uuid as class,
    '${given.customerId}'::uuid as customer, ${given.orders}::int as orders, ${Math.ceil(given.orders / 5)}::int as buyers,
    now() - interval '365 days' as start, interval '365 days' / ${given.orders} as step;
  create temp table goods as select v.id, v.product_id, v.sku, row_number() over (order by v.sku) - 1 as place
    from product_variants v, given where v.store_id = store;
  create temp table links as select id, kind, row_number() over (partition by kind order by id) - 1 as place
    from tracking_codes, given where store_id = store;
  create temp table offers as select id, row_number() over (order by id) - 1 as place
    from coupons, given where store_id = store;
  analyze goods, links, offers`

const BUYERS = `
  create temp table buyers as select n - 1 as place, uuidv7(interval '-366 days') as id from given, generate_series(1, buyers) n;
  insert into customers (store_id, id, email, email_normalized, firstname, lastname, customer_group_id, created_at, updated_at)
  select store, b.id, 'buyer-' || place || '@example.com', 'buyer-' || place || '@example.com', 'Ada', 'Lovelace ' || place,
    like_one.customer_group_id, now(), now()
  from given join customers like_one on like_one.store_id = store and like_one.id = customer cross join buyers b;
  create index on buyers (place); analyze buyers`
