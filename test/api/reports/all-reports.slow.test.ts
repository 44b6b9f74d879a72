import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { type Answered, askAs, reportReader } from '#test/support/books/ask-report.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildBooks } from '#test/support/builders/books.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

// What the reports of one store say must agree with each other and with the books.

let store: { id: string }
let ask: (report: string) => Promise<Answered>
before(async () => {
  store = await buildBooks()
  ask = await reportReader(store)
})

const single = async (sql: string): Promise<number> =>
  Number((await superuser.query(`select coalesce((${sql}), 0) as value`, [store.id])).rows[0].value) / 100

test('sales are the captured less the refunded amounts of all orders', async () => {
  const { totals } = await ask('sales')

  const left = await single(
    'select sum(amount_captured_minor - amount_refunded_minor) from orders where store_id = $1',
  )
  const vouchers = await single(
    "select sum(amount_minor - refunded_minor) from voucher_redemptions where store_id = $1 and status = 'captured'",
  )
  const credited = await single('select sum(credit_minor) from refunds where store_id = $1')
  assert.partialDeepStrictEqual(totals, {
    total: left,
    paid_by_voucher: vouchers - credited,
    received: left - vouchers + credited,
  })
  assert.ok(totals.refunds > 0 && vouchers > 0 && totals.discounts > 0)
})

test('products, customers and shipping add up to the sales', async () => {
  const { totals: sales } = await ask('sales')
  const { totals: products } = await ask('products')
  const { totals: shipping } = await ask('shipping')

  assert.deepEqual(
    {
      net: products.revenue,
      gross: products.gross,
      discounts: products.discounts,
      tax: products.tax + shipping.tax,
    },
    { net: sales.net, gross: sales.gross, discounts: sales.discounts, tax: sales.tax },
  )
  assert.equal(shipping.shipping, sales.shipping)
  for (const by of ['period', 'customer']) {
    const { totals } = await ask(`customers?by=${by}`)
    assert.deepEqual(
      { orders: totals.orders, spent: totals.spent },
      { orders: sales.orders, spent: sales.total },
    )
  }
})

test('coupons count the paid orders that used them', async () => {
  const { rows } = await ask('coupons')

  assert.partialDeepStrictEqual(rows, [{ uses: 1, discount: 2 }])
})

test('outstanding vouchers are the sum of the ledgers, from period to period', async () => {
  const { rows, totals } = await ask('vouchers')

  const owed = await single(
    'select sum(amount_minor - spent_minor) from vouchers where store_id = $1 and not awaits_payment',
  )
  const issued = await single(`
    select sum(e.amount_minor) from voucher_entries e join vouchers v on v.store_id = e.store_id and v.id = e.voucher_id
    where e.store_id = $1 and e.kind = 'issue' and not v.awaits_payment`)
  assert.partialDeepStrictEqual(totals, { outstanding: owed, issued })
  const { issued: all, adjusted, redeemed, refunded, outstanding } = totals
  assert.equal(outstanding, all + adjusted - redeemed + refunded)
  assert.ok(redeemed > 0)
  assert.equal(rows.at(0).outstanding, 0)
})

test('the value that is left on a voucher counts as expired on the day of its expiry', async () => {
  const shop = await buildStore({ timeZone: 'Europe/Berlin' })
  freezeClock(new Date('2026-11-01T12:00:00.000Z'))
  const { id } = await buildVoucher(shop, { expiresAt: new Date('2026-11-10T12:00:00.000Z') })
  freezeClock(new Date('2026-11-20T12:00:00.000Z'))
  const read = await reportReader(shop)

  const { rows } = await read('vouchers?date_from=2026-11-09&date_to=2026-11-11')

  assert.ok(id)
  assert.deepEqual(
    rows.map(({ expired, outstanding }: Answered) => ({ expired, outstanding })),
    [
      { expired: 0, outstanding: 50 },
      { expired: 50, outstanding: 50 },
      { expired: 0, outstanding: 50 },
    ],
  )
})

test('returns count units by reason, product and action, with the price that was paid for them', async () => {
  const shop = await buildStore()
  const order = await buildShippedOrder(shop, {
    lines: [{ priceMinor: 1_000n, quantity: 3 }],
    discountMinor: 100n,
  })
  await buildReceivedReturn(shop, order, { units: [2], disposition: 'not_restocked' })
  const read = await reportReader(shop)

  const figures = { returns: 1, units: 2, received_units: 2, restocked_units: 0, value: 19.33 }
  assert.partialDeepStrictEqual((await read('returns')).rows, [{ reason: 'unwanted', ...figures }])
  assert.partialDeepStrictEqual((await read('returns?by=product')).rows, [figures])
  assert.partialDeepStrictEqual((await read('returns?by=action')).rows, [{ action: 'refund', ...figures }])
  assert.equal((await read('returns?status=rejected')).totals.returns, 0)
})

test('a page of things has the totals of all pages', async () => {
  const shop = await buildStore()
  for (const priceMinor of [100n, 300n, 200n])
    await buildCapturedOrder(shop, { lines: [{ priceMinor, quantity: 1 }], shippingMinor: 0n })
  const read = await reportReader(shop)

  const { rows, totals, pagination, previous } = await read('products?page=2&page_size=1&compare=previous')

  assert.equal(rows.length, 1)
  assert.equal(rows[0].revenue, 2)
  assert.equal(totals.revenue, 6)
  assert.deepEqual(pagination, { page: 2, page_size: 1, total: 3, total_pages: 3 })
  assert.deepEqual(previous.rows, [])
  assert.equal(previous.totals.revenue, 0)
})

test('neither a failed refund nor a bounced one counts', async () => {
  const shop = await buildStore()
  const order = await buildCapturedOrder(shop)
  const refund = await inStore(shop.id, (tx) =>
    requestRefund(
      tx,
      order.id,
      { amountMinor: 500n, reason: 'Late', means: 'outside_gateway' },
      requester('system'),
    ),
  )
  const read = await reportReader(shop)
  assert.equal((await read('sales')).totals.refunds, 5)

  const bounced = { status: 'failed', reference: null, failureReason: 'account_closed' } as const
  await inStore(shop.id, (tx) => settleRefund(tx, refund.id, bounced))

  assert.partialDeepStrictEqual((await read('sales')).totals, { refunds: 0, total: 25 })
})

test('inventory shows the cover of the units that are left, the shortest first', async () => {
  const shop = await buildStore()
  freezeClock(new Date(Date.now() - DAY_MS))
  const { lines } = await buildCapturedOrder(shop, { lines: [{ priceMinor: 1_000n, quantity: 4 }] })
  const read = await reportReader(shop)

  const { rows, totals, currency } = await read('inventory?threshold=100')

  assert.partialDeepStrictEqual(rows, [
    {
      variant_id: lines[0]?.variantId,
      on_hand: 100,
      allocated: 4,
      held: 0,
      available: 96,
      value: 1000,
      // 96 units at 4 in 30 days.
      units_sold: 4,
      days_of_cover: 720,
      below_threshold: 1,
    },
  ])
  assert.equal(totals.days_of_cover, null)
  assert.equal(currency, 'EUR')
})

test('CSV has all rows of the report in the same order, with guarded texts', async () => {
  const shop = await buildStore()
  for (const name of ['=1+1', 'Stool', 'Bench'])
    await inStore(shop.id, async (tx) => {
      const { lines } = await buildCapturedOrder(shop)
      const { product_id } = await tx.knex('product_variants').where('id', lines[0]?.variantId).first()
      await tx
        .knex('products')
        .where('id', product_id)
        .update({ name_i18n: { en: name } })
    })
  const { token } = await buildStaff(shop, { role: 'analyst' })
  const { rows } = await askAs(token)('products')

  const { status, data, headers } = await request('GET /admin/reports/products?page_size=1', {
    token,
    headers: { Accept: 'text/csv' },
  })

  assert.equal(status, 200)
  assert.match(headers.get('content-disposition') ?? '', /products-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv/)
  const [header, ...lines] = data.trim().split('\n')
  assert.equal(header, Object.keys(rows[0]).join(','))
  const guarded = (value: unknown) => (value === '=1+1' ? "'=1+1" : value)
  assert.deepEqual(
    lines,
    rows.map((row: object) => Object.values(row).map(guarded).join(',')),
  )
  assert.equal(lines.length, 3)
})

testBooks()
