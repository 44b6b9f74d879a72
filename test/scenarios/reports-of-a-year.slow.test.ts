import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { seedYearOfOrders } from '#migrations/seeds/year-of-orders.ts'
import { askAs } from '#test/support/books/ask-report.ts'
import { openDemoStore } from '#test/support/builders/open-demo-store.ts'
import { superuser } from '#test/support/database.ts'

// The reports of a furnished demo store, counted again by hand: row by row, from what the tables hold.

const ZONE = 'Europe/Berlin'
const BACK = ['succeeded']

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = any

let ask: (report: string) => Promise<Row>
let from: string
let to: string
const tables: Record<string, Row[]> = {}
const rowsOf = (table: string): Row[] => tables[table] ?? []

before(async () => {
  const { id, token } = await openDemoStore('harbor')
  await seedYearOfOrders(id)
  await superuser.query(`update stores set time_zone = $2 where id = $1`, [id, ZONE])
  const read = [
    ...[
      'orders',
      'order_items',
      'refunds',
      'refund_items',
      'returns',
      'return_items',
      'coupons',
      'coupon_uses',
    ],
    ...['products', 'product_variants', 'customers'],
  ]
  for (const table of read)
    tables[table] = (await superuser.query(`select * from ${table} where store_id = $1`, [id])).rows.map(
      toNumbers,
    )
  const days = rowsOf('orders').flatMap(({ paid_at }) => (paid_at ? [dayOf(paid_at)] : []))
  from = days.toSorted()[0] as string
  to = dayOf(new Date())
  const answer = askAs(token)
  ask = (report) =>
    answer(`${report}${report.includes('?') ? '&' : '?'}date_from=${from}&date_to=${to}&page_size=100`)
})

/** Amounts come as texts. */
const toNumbers = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_minor') && value !== null ? Number(value) : value,
    ]),
  )

/** The day of a time in the store's zone, by another way than the service's. */
const dayOf = (time: Date): string => time.toLocaleDateString('sv-SE', { timeZone: ZONE })
const monthOf = (time: Date): string => `${dayOf(time).slice(0, 7)}-01`

const minor = (major: number): number => Math.round(major * 100)
const left = (order: Row): number => order.amount_captured_minor - order.amount_refunded_minor
const orderOf = (id: string): Row => rowsOf('orders').find((order) => order.id === id)
const paid = (): Row[] => rowsOf('orders').filter(({ paid_at }) => paid_at)
const settled = (): Row[] => rowsOf('refunds').filter(({ status }) => BACK.includes(status))
const linesOf = (orderId: string): Row[] =>
  rowsOf('order_items').filter(({ order_id }) => order_id === orderId)

/** Adds numbers to the figures of a key. */
function counter() {
  const byKey = new Map<string, Record<string, number>>()
  const add = (key: string, figures: Record<string, unknown>) => {
    const sums = byKey.get(key) ?? {}
    for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + Number(value)
    byKey.set(key, sums)
  }
  return { byKey, add }
}

/** Compares rows with hand counts; `money` names the columns in major units. */
function assertCounted(
  rows: Row[],
  key: string,
  byKey: Map<string, Record<string, number>>,
  money: string[],
) {
  const found = rows.map((row) => [
    row[key],
    ...[...(byKey.get(row[key]) ? Object.keys(byKey.get(row[key]) as object) : [])].map((name) =>
      money.includes(name) ? minor(row[name]) : row[name],
    ),
  ])
  const counted = rows.map((row) => [row[key], ...Object.values(byKey.get(row[key]) ?? {})])
  assert.deepEqual(found, counted)
  for (const missing of [...byKey.keys()].filter((one) => !rows.some((row) => row[key] === one)))
    assert.fail(`no row of ${missing}`)
}

const SALES = ['gross', 'discounts', 'net', 'shipping', 'tax', 'refunds', 'total']

function addSale(add: ReturnType<typeof counter>['add'], keyOf: (order: Row, at: Date) => string) {
  for (const order of paid()) {
    const goodsTax = order.prices_include_tax ? order.tax_minor - order.shipping_tax_minor : 0
    const shippingTax = order.prices_include_tax ? order.shipping_tax_minor : 0
    const units = linesOf(order.id).reduce((sum, { quantity }) => sum + quantity, 0)
    add(keyOf(order, order.paid_at), {
      orders: 1,
      units,
      gross: order.subtotal_minor,
      discounts: order.discount_minor,
      ...{
        net: order.subtotal_minor - order.discount_minor - goodsTax,
        shipping: order.shipping_minor - shippingTax,
      },
      tax: order.tax_minor,
      refunds: 0,
      total: order.amount_captured_minor,
    })
  }
  for (const { order_id, settled_at, amount_minor } of settled())
    add(keyOf(orderOf(order_id), settled_at), { refunds: amount_minor, total: -amount_minor })
}

test('sales by month, country and payment method equal a hand count', async () => {
  const keys: Record<string, (order: Row, at: Date) => string> = {
    period: (_, at) => monthOf(at),
    country: ({ shipping_address }) => shipping_address.country,
    payment_method: ({ payment_method }) => payment_method,
  }
  for (const [by, keyOf] of Object.entries(keys)) {
    const { byKey, add } = counter()
    addSale(add, keyOf)
    const { rows } = await ask(`sales?group=month&by=${by}`)
    assert.ok(byKey.size > 1, by)
    assertCounted(rows, by, byKey, SALES)
  }
})

test('the total of sales is the captured less the refunded amounts of all orders', async () => {
  const { totals } = await ask('sales')
  const all = paid().reduce((sum, order) => sum + left(order), 0)

  assert.equal(minor(totals.total), all)
  assert.ok(totals.refunds > 0)
})

test('products equal a hand count, and sum to the net sales', async () => {
  const { byKey, add } = counter()
  const zero = { units: 0, revenue: 0, refunded_units: 0, refunds: 0, returned_units: 0 }
  const lineOf = (id: string) => rowsOf('order_items').find((line) => line.id === id)
  for (const { id } of paid())
    for (const { product_id, quantity, total_minor, tax_minor } of linesOf(id))
      add(product_id, { ...zero, units: quantity, revenue: total_minor - tax_minor })
  for (const { id } of settled())
    for (const item of rowsOf('refund_items').filter(({ refund_id }) => refund_id === id))
      add(lineOf(item.order_item_id).product_id, {
        ...zero,
        refunded_units: item.quantity,
        refunds: item.amount_minor,
      })
  for (const { id } of rowsOf('returns').filter(({ received_at }) => received_at))
    for (const item of rowsOf('return_items').filter(({ return_id }) => return_id === id))
      if (item.disposition !== 'missing')
        add(lineOf(item.order_item_id).product_id, { ...zero, returned_units: item.quantity })

  const { rows, totals } = await ask('products')

  assertCounted(rows, 'product_id', byKey, ['revenue', 'refunds'])
  const sales = (await ask('sales')).totals
  assert.partialDeepStrictEqual(totals, { revenue: sales.net, units: sales.units })
})

test('customers equal a hand count', async () => {
  const firsts = new Map<string, Row>()
  for (const order of paid().toSorted((one, other) => one.paid_at - other.paid_at))
    if (order.customer_id && !firsts.has(order.customer_id)) firsts.set(order.customer_id, order)
  const months = counter()
  for (const month of new Set(paid().map(({ paid_at }) => monthOf(paid_at)))) {
    const orders = paid().filter(({ paid_at }) => monthOf(paid_at) === month)
    const later = orders.filter((order) => order.customer_id && firsts.get(order.customer_id) !== order)
    months.add(month, {
      new_customers: orders.filter((order) => firsts.get(order.customer_id) === order).length,
      returning_customers: new Set(later.map(({ customer_id }) => customer_id)).size,
      orders: orders.length,
      guest_orders: orders.filter(({ customer_id }) => !customer_id).length,
    })
  }
  const { rows, totals } = await ask('customers?group=month')
  assertCounted(rows, 'period', months.byKey, [])
  const returned = paid().filter((order) => order.customer_id && firsts.get(order.customer_id) !== order)
  assert.equal(totals.returning_customers, new Set(returned.map(({ customer_id }) => customer_id)).size)
  assert.equal(totals.new_customers, firsts.size)

  const best = (await ask('customers?by=customer')).rows.find(({ customer_id }: Row) => customer_id)
  const spent = rowsOf('customers').map((customer) =>
    paid()
      .filter(({ customer_id }) => customer_id === customer.id)
      .reduce((sum, order) => sum + left(order), 0),
  )
  assert.equal(minor(best.spent), spent.toSorted((one, other) => other - one)[0])
})

test('coupons, shipping and returns equal a hand count', async () => {
  const coupons = counter()
  for (const use of rowsOf('coupon_uses').filter(({ released_at }) => !released_at)) {
    const order = orderOf(use.order_id)
    const { code } = rowsOf('coupons').find(({ id }) => id === use.coupon_id)
    const revenue = order.amount_captured_minor - order.amount_refunded_minor
    if (order.paid_at) coupons.add(code, { uses: 1, discount: use.discount_minor, revenue })
  }
  assertCounted((await ask('coupons')).rows, 'code', coupons.byKey, ['discount', 'revenue'])

  const methods = counter()
  for (const order of paid())
    methods.add(order.shipping_method.code, {
      orders: 1,
      free_orders: order.shipping_minor === 0 ? 1 : 0,
      shipping: order.shipping_minor - (order.prices_include_tax ? order.shipping_tax_minor : 0),
      tax: order.shipping_tax_minor,
    })
  assertCounted((await ask('shipping')).rows, 'code', methods.byKey, ['shipping', 'tax'])

  for (const key of ['reason', 'action']) {
    const returns = counter()
    for (const rma of rowsOf('returns').filter(({ status }) => !['rejected', 'canceled'].includes(status)))
      for (const item of rowsOf('return_items').filter(({ return_id }) => return_id === rma.id))
        returns.add(key === 'reason' ? item.reason : rma.action, { units: item.quantity })
    assertCounted((await ask(`returns?by=${key}`)).rows, key, returns.byKey, [])
  }
})

test('inventory equals a hand count', async () => {
  const { totals } = await ask('inventory?threshold=10')
  const variants = rowsOf('product_variants').filter(({ deleted_at }) => !deleted_at)
  const priceOf = ({ price_minor, product_id }: Row): number =>
    price_minor ?? rowsOf('products').find(({ id }) => id === product_id).price_minor
  const free = (row: Row) => row.stock_on_hand - row.stock_allocated - row.stock_held
  const sold = new Set(paid().map(({ id }) => id))

  assert.partialDeepStrictEqual(totals, {
    on_hand: variants.reduce((sum, { stock_on_hand }) => sum + stock_on_hand, 0),
    available: variants.reduce((sum, row) => sum + free(row), 0),
    below_threshold: variants.filter((row) => free(row) < 10).length,
    units_sold: rowsOf('order_items').reduce(
      (sum, line) => sum + (sold.has(line.order_id) ? line.quantity : 0),
      0,
    ),
  })
  const value = variants.reduce((sum, row) => sum + Math.max(0, row.stock_on_hand) * priceOf(row), 0)
  assert.equal(minor(totals.value), value)
})

test('tax equals a hand count, and is 0 for refunded orders', async () => {
  const counted = counter()
  for (const { taxes, shipping_address: address } of paid())
    for (const { name, ratePpm, taxMinor, netMinor } of taxes)
      counted.add(`${address.country} ${name} ${ratePpm / 10_000}`, {
        net_sales: netMinor,
        tax_on_sales: taxMinor,
      })
  const { rows, totals } = await ask('tax')
  const named = counter()
  for (const { country, rate, percent, net_sales, tax_on_sales } of rows)
    if (rate)
      named.add(`${country} ${rate} ${percent}`, {
        net_sales: minor(net_sales),
        tax_on_sales: minor(tax_on_sales),
      })

  assert.deepEqual(
    [...named.byKey].toSorted().filter(([, { net_sales }]) => net_sales),
    [...counted.byKey].toSorted().filter(([, { net_sales }]) => net_sales),
  )
  assert.equal(totals.tax_on_sales, (await ask('sales')).totals.tax)
  const { totals: refunded } = await ask('tax?status=refunded')
  assert.ok(refunded.tax_on_sales > 0)
  assert.partialDeepStrictEqual(refunded, { tax: 0, net: 0 })
})
