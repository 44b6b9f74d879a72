import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DEMO_STORES } from '#migrations/seeds/demo-stores.ts'
import { orderTimes } from '#migrations/seeds/year-of-orders/calendar.ts'
import { Chance } from '#migrations/seeds/year-of-orders/chance.ts'
import { seedYearOfOrders } from '#migrations/seeds/year-of-orders.ts'
import { assertBooks } from '#test/support/books/test-books.ts'
import { openDemoStore } from '#test/support/builders/open-demo-store.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs } from '#test/support/processes/jobs.ts'

const ORDERS = 1_000
const CUSTOMERS = 200

/** The rows of one query about a store, whose id is `$1`. */
const rowsOf = async <Row>(sql: string, id: string): Promise<Row[]> => (await superuser.query(sql, [id])).rows

/** What changes whenever the service has something to tell: of all stores. */
const COUNT_OUTGOING = `
  select (select count(*)::int from pgboss.job) as jobs, (select count(*)::int from events) as events,
    (select count(*)::int from order_mails) as mails, (select count(*)::int from webhook_deliveries) as webhooks`

const AVAILABLE = `
  select sku, stock_on_hand - stock_allocated - stock_held as available from product_variants
  where store_id = $1 order by sku`

for (const demo of DEMO_STORES)
  describe(`a year of orders of ${demo.name}`, () => {
    let id: string
    let token: string
    let outgoing: { before: unknown; after: unknown }
    let available: { before: unknown; after: unknown }

    before(async () => {
      ;({ id, token } = await openDemoStore(demo.slug))
      await discardJobs()
      const observe = async () => ({
        outgoing: (await superuser.query(COUNT_OUTGOING)).rows,
        available: await rowsOf(AVAILABLE, id),
      })
      const first = await observe()
      assert.equal(await seedYearOfOrders(id), ORDERS)
      const then = await observe()
      outgoing = { before: first.outgoing, after: then.outgoing }
      available = { before: first.available, after: then.available }
    })

    test('every invariant of the books holds', () => assertBooks([id]))

    test('it queues no job, event, mail or webhook', () => {
      assert.deepEqual(outgoing.after, outgoing.before)
    })

    test('the available stock stays, and stock never falls below zero', async () => {
      assert.deepEqual(available.after, available.before)
      const negative = await rowsOf(
        `select * from (
           select variant_id, created_at, sum(delta) over (partition by variant_id order by id) as on_hand
           from stock_movements where store_id = $1 and reason not in ('initial', 'import')) as running
         where on_hand < 0`,
        id,
      )
      assert.deepEqual(negative, [])
    })

    test('orders are spread over the last 365 days: each month has some', async () => {
      const months = await rowsOf<{ month: number; orders: number }>(
        `select floor(extract(epoch from now() - created_at) / 86400 / 30.5)::int as month, count(*)::int as orders
         from orders where store_id = $1 group by 1 order by 1`,
        id,
      )
      assert.deepEqual(
        months.map(({ month }) => month),
        Array.from({ length: 12 }, (_, month) => month),
      )
      for (const { month, orders } of months) assert.ok(orders >= 40, `${orders} orders ${month} months ago`)
    })

    test('orders are in every status, wholly and partly refunded, shipped and returned', async () => {
      const [found] = await rowsOf<Record<string, unknown>>(
        `select
           (select array_agg(distinct status order by status) from orders where store_id = $1) as orders,
           (select array_agg(distinct status order by status) from returns where store_id = $1) as returns,
           (select count(*)::int from orders where store_id = $1 and amount_refunded_minor > 0
              and amount_refunded_minor < amount_captured_minor) > 20 as some_are_partly_refunded,
           (select count(*)::int from orders where store_id = $1 and amount_refunded_minor > 0
              and amount_refunded_minor = amount_captured_minor) > 10 as some_are_refunded,
           (select count(*)::int from (select order_id from shipments where store_id = $1
              group by 1 having count(*) = 2) as two) > 10 as some_ship_in_parts,
           (select count(*)::int from orders o where store_id = $1 and status = 'processing' and exists (
              select from shipments s where s.order_id = o.id)) > 0 as some_are_shipped_in_part,
           (select count(*)::int from orders where store_id = $1 and status = 'complete') > 700 as most_are_complete,
           (select count(*)::int from coupon_uses where store_id = $1) > 50 as some_have_coupons,
           (select count(*)::int from orders where store_id = $1 and customer_id is null) > 50 as guests_order`,
        id,
      )
      assert.deepEqual(found, {
        orders: ['canceled', 'complete', 'failed', 'pending', 'processing', 'refunded', 'shipped'],
        returns: ['approved', 'completed', 'received', 'rejected', 'requested'],
        some_are_partly_refunded: true,
        some_are_refunded: true,
        some_ship_in_parts: true,
        some_are_shipped_in_part: true,
        most_are_complete: true,
        some_have_coupons: true,
        guests_order: true,
      })
    })

    test("orders have the store's price mode and its tax; exempt customers pay none", async () => {
      const modes = await rowsOf(
        `select distinct o.prices_include_tax as gross, c.tax_exempt or g.tax_exempt as exempt, tax_minor > 0 as taxed
         from orders o join customers c on c.store_id = o.store_id and c.id = o.customer_id
         join customer_groups g on g.store_id = c.store_id and g.id = c.customer_group_id
         where o.store_id = $1 and o.shipping_address ->> 'country' in ('DE', 'DK') order by exempt`,
        id,
      )
      const gross = demo.pricesIncludeTax ?? false
      assert.deepEqual(modes, [
        { gross, exempt: false, taxed: true },
        { gross, exempt: true, taxed: false },
      ])
    })

    test('nothing happens after now, and no history runs backwards', async () => {
      const [late] = await rowsOf<{ steps: number }>(
        `select count(*)::int as steps from order_steps where store_id = $1 and created_at > now()`,
        id,
      )
      assert.deepEqual(late, { steps: 0 })
      const backwards = await rowsOf(
        `select * from (
           select order_id, from_status,
             lag(to_status) over (partition by order_id order by id) as before,
             created_at < lag(created_at) over (partition by order_id order by id) as earlier
           from order_steps where store_id = $1) as steps
         where from_status is distinct from before or earlier`,
        id,
      )
      assert.deepEqual(backwards, [])
    })

    test('the lists of staff show the customers with their figures, and their orders', async () => {
      const { meta, data } = await request('GET /admin/customers?sort=-total_spent&page_size=1', { token })
      assert.equal(meta.total, CUSTOMERS)
      const [best] = data
      assert.ok(best.orders_count > 10 && best.total_spent > 0, JSON.stringify(best))
      const list = await request(`GET /admin/orders?customer_id=${best.id}&page_size=100`, { token })
      assert.ok(list.meta.total >= best.orders_count)
      const found = await request(`GET /admin/customers?q=${encodeURIComponent(best.email)}`, { token })
      assert.deepEqual(
        found.data.map((one: { id: string }) => one.id),
        [best.id],
      )
      const orders = await request('GET /admin/orders?page_size=1', { token })
      assert.equal(orders.meta.total, ORDERS)
    })

    test('a second run adds nothing', async () => {
      assert.equal(await seedYearOfOrders(id), 0)
      const counts = await rowsOf(
        `select (select count(*)::int from orders where store_id = $1) as orders,
           (select count(*)::int from customers where store_id = $1) as customers`,
        id,
      )
      assert.deepEqual(counts, [{ orders: ORDERS, customers: CUSTOMERS }])
    })
  })

test('a store without a catalog gets no orders', async () => {
  const { id } = await buildStore()
  assert.equal(await seedYearOfOrders(id), 0)
  assert.deepEqual(await rowsOf('select id from customers where store_id = $1', id), [])
})

test('the same seed draws the same times: more on weekends, most in December, more at the end', () => {
  const until = new Date('2026-07-01T12:00:00Z')
  const times = orderTimes(ORDERS, until, new Chance('a store'))
  assert.deepEqual(times, orderTimes(ORDERS, until, new Chance('a store')))
  assert.notDeepEqual(times, orderTimes(ORDERS, until, new Chance('another store')))
  const inMonth = (month: string) => times.filter((time) => time.toISOString().startsWith(month)).length
  assert.ok(inMonth('2025-12') > 1.3 * Math.max(inMonth('2026-01'), inMonth('2025-10'), inMonth('2026-05')))
  assert.ok(inMonth('2026-05') > inMonth('2025-07'))
  const onWeekend = times.filter((time) => [0, 6].includes(time.getUTCDay())).length
  assert.ok(onWeekend / 2 > 1.2 * ((ORDERS - onWeekend) / 5))
})
