import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CouponUse } from '#shared/coupons/coupon-use.ts'
import { createCustomerGroup } from '#shared/customers/groups/create-customer-group.ts'
import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { rollUpReports as job } from '#shared/reports/jobs.ts'
import { approveReturn } from '#shared/returns/lifecycle/approve-return.ts'
import { replaceItems } from '#shared/returns/return-item.ts'
import { reportReader } from '#test/support/books/ask-report.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildCapturedOrder, type CapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildReturn } from '#test/support/builders/returns.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { rebuildReports } from '#workers/commands/rebuild-reports.ts'
import { rollUpReports, rollUpStore } from '#workers/reports/roll-up-reports.ts'

const SINCE = 'date_from=2026-09-01&date_to=2026-11-10'
const REPORTS = [
  ...['sales', 'sales?group=week', 'sales?group=month', 'sales?by=country', 'sales?by=payment_method'],
  ...[
    'sales?by=customer_group',
    'sales?status=complete',
    'sales?currency=JPY',
    'products',
    'tax',
    'shipping',
  ],
  ...[
    'customers',
    'customers?group=week',
    'customers?group=month',
    'customers?status=complete',
    'customers?by=customer',
  ],
  ...[
    'coupons',
    'marketing',
    'inventory',
    'returns',
    'returns?by=product',
    'returns?by=action',
    'returns?status=approved',
  ],
]
const START = Date.parse('2026-09-29T12:00:00.000Z')
const onDay = (day: number) => freezeClock(new Date(START + day * DAY_MS))
/** The last days of September, the first one of October and two days of that month's and the next one's. */
const DAYS = [0, 1, 2, 20, 34]
const TODAY = 40

/** A store with orders on days of three months, whose facts are stored. September and October are whole. */
async function buildRolledUp() {
  const store = await buildStore({ timeZone: 'America/New_York' })
  const { id: customerId } = await buildCustomer(store)
  const { id: campaignId } = await buildCampaign(store)
  const orders: CapturedOrder[] = []
  for (const day of DAYS) {
    onDay(day)
    const order = await buildCapturedOrder(store, { customerId, taxMinor: 380n, shippingTaxMinor: 95n })
    await inStore(store.id, ({ knex }) =>
      knex('orders').where('id', order.id).update({ campaign_id: campaignId }),
    )
    orders.push(order)
  }
  onDay(TODAY)
  await rollUpStore(store.id)
  return { store, orders, customerId }
}

/** No day is stored then, so reports read the orders. */
const forgetDays = (store: BuiltStore) =>
  superuser.query('delete from report_days where store_id = $1', [store.id])

async function readAll(store: BuiltStore): Promise<Record<string, unknown>> {
  const ask = await reportReader(store)
  const answers: Record<string, unknown> = {}
  for (const report of REPORTS)
    answers[report] = await ask(`${report}${report.includes('?') ? '&' : '?'}${SINCE}`)
  return answers
}

/** Reads the reports with the stored facts, and from the rows of the orders. */
async function readBoth(store: BuiltStore) {
  const stored = await readAll(store)
  const sql = 'select count(*)::int as count from report_facts where store_id = $1'
  assert.ok((await superuser.query(sql, [store.id])).rows[0].count > 0)
  await forgetDays(store)
  return { stored, recounted: await readAll(store) }
}

const refund = (store: BuiltStore, order: CapturedOrder, quantity = 1) =>
  inStore(store.id, (tx) => {
    const items = [{ orderItemId: order.lines[0]?.id ?? '', quantity }]
    return requestRefund(
      tx,
      order.id,
      { items, reason: 'Late', means: 'outside_gateway' },
      requester('system'),
    )
  })

test('the job stores the facts of past days, and reports say the same', async () => {
  const { store } = await buildRolledUp()
  await forgetDays(store)
  const before = await readAll(store)
  await (await queues()).send(job.queue, {})
  await drainJobs([rollUpReports])

  const stored = async (days: string) =>
    (await superuser.query(`select ${days} from report_days where store_id = $1`, [store.id])).rows[0]
  assert.deepEqual(await stored('count(*)::int as days, min(day)::text as first, max(day)::text as last'), {
    days: TODAY,
    first: '2026-09-29',
    last: '2026-11-07',
  })
  assert.deepEqual(await storedMonths(store), ['2026-09-01', '2026-10-01'])
  assert.deepEqual(await readAll(store), before)
  assert.equal(await rollUpStore(store.id), 0)
})

test('a store whose facts cannot be stored does not keep the job from the facts of the others', async () => {
  onDay(0)
  const broken = await buildStore()
  const { id: customerId } = await buildCustomer(broken)
  await buildCapturedOrder(broken, { customerId })
  await superuser.query("update stores set time_zone = 'AET' where id = $1", [broken.id])
  const { store } = await buildRolledUp()
  await forgetDays(store)

  await assert.rejects(rollUpReports.run({}, { jobId: '', retry: 0, signal: new AbortController().signal }))

  const sql = 'select count(*)::int as days from report_days where store_id = $1'
  assert.equal((await superuser.query(sql, [store.id])).rows[0].days, TODAY)
  await superuser.query("update stores set time_zone = 'UTC' where id = $1", [broken.id])
})

test('a store whose time is over continues in the next run', async () => {
  const { store } = await buildRolledUp()
  await forgetDays(store)

  assert.equal(await rollUpStore(store.id, { maxMs: 0 }), 1)
  assert.equal(await rollUpStore(store.id), TODAY - 1)
})

test('a run saves the day that changed first, even if another day changed again since', async () => {
  const { store } = await buildRolledUp()
  const change = (day: string) =>
    superuser.query('insert into report_changes (store_id, at) values ($1, $2)', [
      store.id,
      `${day}T12:00:00Z`,
    ])
  const changed = async () =>
    (
      await superuser.query('select at::date::text as day from report_changes where store_id = $1', [
        store.id,
      ])
    ).rows
  await change('2026-11-07')
  await change('2026-10-01')

  await rollUpStore(store.id, { maxMs: 0 })
  await change('2026-11-07')
  await rollUpStore(store.id, { maxMs: 0 })

  assert.deepEqual(await changed(), [{ day: '2026-11-07' }])
})

const storedMonths = async (store: BuiltStore): Promise<string[]> => {
  const sql = 'select month::text from report_months where store_id = $1 order by 1'
  return (await superuser.query(sql, [store.id])).rows.map(({ month }) => month)
}

test('a report of months reads the sums of whole months, and one of days those of days', async () => {
  const { store } = await buildRolledUp()
  const sql = `update report_facts set sums = array_fill(7::bigint, array[15]) where store_id = $1 and span = 'month'
    and fact = 'sales'`
  await superuser.query(sql, [store.id])
  const ask = await reportReader(store)

  const orders = async (range: string) => (await ask(`sales?${range}`)).totals.orders
  assert.equal(await orders(`group=day&${SINCE}`), 5)
  assert.equal(await orders(`group=month&${SINCE}`), 7 + 7 + 1)
  assert.equal(await orders('group=month&date_from=2026-09-02&date_to=2026-10-30'), 4)
})

type RolledUp = Awaited<ReturnType<typeof buildRolledUp>>

/** Requests a return of one unit on a past day, whose facts are stored then. */
async function requestOnPastDay({ store, orders }: RolledUp) {
  const order = orders[1] as CapturedOrder
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'system'))
  onDay(10)
  const { id } = await buildReturn(store, order)
  onDay(TODAY)
  await rollUpStore(store.id)
  return { id, lineId: order.lines[0]?.id ?? '' }
}

/** What can happen to orders of past days. */
const CHANGES: Record<string, (of: RolledUp) => Promise<unknown>> = {
  'an order is placed and paid on a past day': async ({ store }) => {
    onDay(3)
    await buildCapturedOrder(store)
    onDay(TODAY)
  },
  'an order turns out to be the first of its customer': async ({ store, customerId }) => {
    onDay(-1)
    await buildCapturedOrder(store, { customerId })
    onDay(TODAY)
  },
  'the first order of a customer becomes that of a guest': ({ store, orders, customerId }) =>
    inStore(store.id, async (tx) => {
      await tx.knex('orders').where('id', orders[0]?.id).update({ customer_id: null })
      recountCustomer(tx, customerId)
    }),
  'an order uses a coupon': async ({ store, orders }) => {
    const { id: couponId } = await buildCoupon(store)
    await inStore(store.id, async (tx) => {
      const use = { couponId, orderId: orders[3]?.id ?? '', emailHash: Buffer.alloc(1), discountMinor: 0n }
      await CouponUse.in(tx).insert({
        ...use,
        currency: 'EUR',
        customerId: null,
        createdAt: now(),
        releasedAt: null,
      })
      await tx.knex('coupons').where('id', couponId).increment('uses_count')
    })
  },
  'an order is refunded': ({ store, orders }) => refund(store, orders[1] as CapturedOrder),
  'a refund of a past day bounces, and a later one takes off less tax': async ({ store, orders }) => {
    const [order] = orders as [CapturedOrder]
    onDay(24)
    const { id } = await refund(store, order)
    onDay(25)
    await inStore(store.id, (tx) =>
      requestRefund(
        tx,
        order.id,
        { amountMinor: 300n, reason: 'Late', means: 'outside_gateway' },
        requester('system'),
      ),
    )
    onDay(TODAY + 1)
    await rollUpStore(store.id)
    const bounced = { status: 'failed', reference: null, failureReason: 'account_closed' } as const
    await inStore(store.id, (tx) => settleRefund(tx, id, bounced))
  },
  'an order is completed': ({ store, orders }) =>
    inStore(store.id, (tx) => changeOrderStatus(tx, orders[2]?.id ?? '', 'complete', 'system')),
  'goods come back': async ({ store, orders }) => {
    const order = orders[2] as CapturedOrder
    await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'system'))
    onDay(30)
    await buildReceivedReturn(store, order)
    onDay(TODAY)
  },
  'the items of a return change': async (rolledUp) => {
    const { id, lineId } = await requestOnPastDay(rolledUp)
    const item = { orderItemId: lineId, quantity: 2, reason: 'damaged', condition: null, note: null } as const
    await inStore(rolledUp.store.id, (tx) => replaceItems(tx, id, [item]))
  },
  'a return is approved': async (rolledUp) => {
    const { id } = await requestOnPastDay(rolledUp)
    await inStore(rolledUp.store.id, (tx) => approveReturn(tx, id, null, 'system'))
  },
  'a customer moves to another group': ({ store, customerId }) =>
    inStore(store.id, async (tx) => {
      const { id } = await createCustomerGroup(tx, { nameI18n: { en: 'Regulars' } })
      await tx.knex('customers').where('id', customerId).update({ customer_group_id: id })
      // The counts of the groups are another book.
      await tx.knex('customer_counts').update({ customer_group_id: id })
    }),
  'the store moves to another time zone': ({ store }) =>
    superuser.query(`update stores set time_zone = 'Asia/Tokyo' where id = $1`, [store.id]),
}

for (const [change, happen] of Object.entries(CHANGES))
  test(`when ${change}, stored facts are recalculated`, async () => {
    const rolledUp = await buildRolledUp()
    await happen(rolledUp)

    const { stored, recounted } = await readBoth(rolledUp.store)

    assert.deepEqual(stored, recounted)
  })

/** Refunds and completes orders while the worker stores facts again and again. */
async function race({ store, orders }: RolledUp) {
  let isOver = false
  const rollingUp = (async () => {
    while (!isOver) {
      await rollUpStore(store.id)
      await setImmediate()
    }
  })()
  await Promise.all(
    orders.map(async (order) => {
      await refund(store, order)
      await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
      await refund(store, order)
    }),
  )
  isOver = true
  await rollingUp
  await rollUpStore(store.id)
}

test('facts are the same as a recount when refunds race with the worker', async () => {
  const rolledUp = await buildRolledUp()
  await race(rolledUp)

  const { stored, recounted } = await readBoth(rolledUp.store)

  assert.deepEqual(stored, recounted)
})

test('without the notes of changes they are not: the control', async () => {
  const rolledUp = await buildRolledUp()
  await superuser.query('alter table orders disable trigger report_orders_changed')
  await race(rolledUp)
  await superuser.query('alter table orders enable trigger report_orders_changed')

  const { stored, recounted } = await readBoth(rolledUp.store)

  assert.notDeepEqual(stored, recounted)
})

test('the command recalculates all days', async () => {
  const { store } = await buildRolledUp()
  await superuser.query(
    `update report_facts set sums = array_fill(7::bigint, array[15]) where store_id = $1`,
    [store.id],
  )
  const lines: string[] = []
  const print = (line: string) => lines.push(line)

  assert.equal(await rebuildReports(store.slug, print), 0)
  assert.equal(await rebuildReports('no-such-store', print), 2)

  assert.equal(lines[0], `${store.slug}  ${TODAY} days`)
  const { stored, recounted } = await readBoth(store)
  assert.deepEqual(stored, recounted)
})

testBooks()
