import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { viewItem } from '#shared/orders/item-view.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildLargeOrders } from '#test/support/builders/large-orders.ts'
import { buildLargeProducts } from '#test/support/builders/large-products.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { cpuMs, leastMs, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'
import { readFigures } from './process-figures.ts'
import { startService } from './service.ts'

// The largest pages that the service returns: nearly 4 MiB of many small rows. None may block the event loop for long.

const PARTS = 110
const RULES = 200

let ask: (path: string, token: string) => Promise<{ status: number; bytes: number; blockedMs: number }>
let close: () => Promise<void>
const store = await buildStore()
const customer = await buildCustomer(store)
const staff = await buildStaff(store, { role: 'administrator' })
const [shipping, pricing] = [await buildStore(), await buildStore()]
const shippers = await buildStaff(shipping, { role: 'administrator' })
const pricers = await buildStaff(pricing, { role: 'administrator' })

before(async () => {
  await buildLargeOrders(store, { count: 100, lines: 90 }, { customerId: customer.id })
  await buildLargeProducts(store, { count: 10, variants: 900 })
  await buildShipments(await buildLargeOrders(shipping, { count: 100, lines: 1 }))
  await buildPriceRules(await buildLargeProducts(pricing, { count: 100 }))
  const port = await freePort(0)
  const monitored = { NODE_OPTIONS: `--import ${import.meta.resolve('./loop-monitor.ts')}` }
  const service = await startService(
    { ...process.env, ...monitored, METRICS_PORT: String(port) },
    { webs: 1, workers: 0 },
  )
  close = async () => service[Symbol.asyncDispose]()
  const metricsUrl = `http://127.0.0.1:${port}/metrics`
  ask = async (path, token) => {
    await readFigures(metricsUrl)
    const key = path.startsWith('/admin/') ? {} : { 'X-Service-Key': store.key }
    const headers = { ...key, Authorization: `Bearer ${token}` }
    const response = await fetch(`${service.url}/api/v1${path}`, { headers })
    const { length: bytes } = await response.text()
    const { loopBlockedMs: blockedMs } = await readFigures(metricsUrl)
    return { status: response.status, bytes, blockedMs }
  }
})

/** So many shipments of one unit for each order. */
const buildShipments = (orderIds: string[]) =>
  inStore(shipping.id, ({ knex, storeId }) =>
    knex.raw(
      `with parts as (
         insert into shipments
           (store_id, id, order_id, carrier, tracking_number, tracking_url, is_notified, created_by, created_at, updated_at)
         select ?, gen_random_uuid(), o, '', '', '', true, 'system', now(), now()
         from unnest(?::uuid[]) o, generate_series(1, ${PARTS}) returning store_id, id, order_id)
       insert into shipment_items (store_id, shipment_id, order_item_id, quantity)
       select p.store_id, p.id, i.id, 1
       from parts p join order_items i on i.store_id = p.store_id and i.order_id = p.order_id and i.position = 1`,
      [storeId, orderIds],
    ),
  )

/** So many price rules for each product. */
const buildPriceRules = (productIds: string[]) =>
  inStore(pricing.id, ({ knex, storeId }) =>
    knex.raw(
      `insert into price_rules (store_id, product_id, position, min_quantity, price_minor, starts_at, ends_at)
       select ?, p, n, n, 100, now(), now() + interval '1 day' from unnest(?::uuid[]) p, generate_series(1, ${RULES}) n`,
      [storeId, productIds],
    ),
  )

for (const [name, path, token] of [
  ['the orders of a customer', '/orders?page_size=100', customer.token],
  ['the orders of a store', '/admin/orders?page_size=100', staff.token],
  ['products with many variants', '/admin/products?page_size=10', staff.token],
  ['orders with many shipments', '/admin/orders?page_size=100', shippers.token],
  ['products with many price rules', '/admin/products?page_size=100', pricers.token],
] as const)
  test(`a page of ${name} with nearly 4 MiB blocks nobody`, async (t) => {
    const reads: Awaited<ReturnType<typeof ask>>[] = []
    const least = await leastMs(async () => {
      const answer = await ask(path, token)
      reads.push(answer)
      return answer.blockedMs
    })

    t.diagnostic(JSON.stringify(reads))
    assert.ok(reads.every(({ status, bytes }) => status === 200 && bytes > 2_500_000))
    assert.ok(least <= MAX_BLOCKED_MS, `${least} ms`)
  })

test('control: the same orders read and written at once block the process for longer', async () => {
  await close()
  const naive = async (tx: StoreTx) => {
    const begun = cpuMs()
    const rows = await OrderItem.in(tx)
    JSON.stringify(rows.map((row) => viewItem(row, 'EUR')))
    return cpuMs() - begun
  }

  const ms = await inStore(store.id, naive)

  assert.ok(ms > MAX_BLOCKED_MS, `${ms} ms`)
})
