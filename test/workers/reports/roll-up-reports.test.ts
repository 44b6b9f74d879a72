import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createGroup } from '#shared/customers/groups/save-group.ts'
import { changeOrderStatus } from '#shared/orders/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle-refund.ts'
import { forgetFacts } from '#shared/reports/facts/store-facts.ts'
import { rollUpReports as job } from '#shared/reports/jobs.ts'
import { reportReader } from '#test/support/ask-report.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'
import { buildCapturedOrder, type CapturedOrder } from '#test/support/build-captured-order.ts'
import { buildReceivedReturn } from '#test/support/build-returns.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { testBooks } from '#test/support/test-books.ts'
import { rebuildReports } from '#workers/reports/rebuild.ts'
import { rollUpReports, rollUpStore } from '#workers/reports/roll-up-reports.ts'

const REPORTS = [
  ...[
    'sales',
    'sales?by=country',
    'sales?by=payment_method',
    'sales?by=customer_group',
    'sales?status=complete',
  ],
  ...['products', 'tax', 'shipping', 'inventory', 'sales?currency=JPY'],
]
const START = Date.parse('2026-11-01T12:00:00.000Z')
const onDay = (day: number) => freezeClock(new Date(START + day * DAY_MS))

/** A store with orders on five days, whose facts are stored on the sixth. */
async function buildRolledUp() {
  const store = await buildStore({ timeZone: 'America/New_York' })
  const { id: customerId } = await buildCustomer(store)
  const orders: CapturedOrder[] = []
  for (let day = 0; day < 5; day++) {
    onDay(day)
    orders.push(await buildCapturedOrder(store, { customerId, taxMinor: 380n, shippingTaxMinor: 95n }))
  }
  onDay(6)
  await rollUpStore(store.id)
  return { store, orders, customerId }
}

async function readAll(store: BuiltStore): Promise<Record<string, unknown>> {
  const ask = await reportReader(store)
  const answers: Record<string, unknown> = {}
  for (const report of REPORTS) answers[report] = await ask(report)
  return answers
}

/** Reads the reports with the stored facts, and from the rows of the orders. */
async function readBoth(store: BuiltStore) {
  const stored = await readAll(store)
  const sql = 'select count(*)::int as count from report_facts where store_id = $1'
  assert.ok((await superuser.query(sql, [store.id])).rows[0].count > 0)
  await inStore(store.id, forgetFacts)
  return { stored, recounted: await readAll(store) }
}

const refund = (store: BuiltStore, order: CapturedOrder, quantity = 1) =>
  inStore(store.id, (tx) => {
    const items = [{ orderItemId: order.lines[0]?.id ?? '', quantity }]
    return requestRefund(tx, order.id, { items, reason: 'Late', means: 'outside_gateway' }, 'system')
  })

test('the job stores the facts of past days, and reports say the same', async () => {
  const { store } = await buildRolledUp()
  await inStore(store.id, forgetFacts)
  const before = await readAll(store)
  await (await queues()).send(job.queue, {})
  await drainJobs([rollUpReports])

  const { rows } = await superuser.query('select day::text from report_days where store_id = $1 order by 1', [
    store.id,
  ])
  assert.deepEqual(
    rows.map(({ day }) => day),
    ['01', '02', '03', '04', '05', '06'].map((day) => `2026-11-${day}`),
  )
  assert.deepEqual(await readAll(store), before)
  assert.equal(await rollUpStore(store.id), 0)
})

type RolledUp = Awaited<ReturnType<typeof buildRolledUp>>

/** What can happen to orders of past days. */
const CHANGES: Record<string, (of: RolledUp) => Promise<unknown>> = {
  'an order is placed and paid on a past day': async ({ store }) => {
    onDay(3)
    await buildCapturedOrder(store)
    onDay(6)
  },
  'an order is refunded': ({ store, orders }) => refund(store, orders[1] as CapturedOrder),
  'a refund of a past day bounces, and a later one takes off less tax': async ({ store, orders }) => {
    const [order] = orders as [CapturedOrder]
    onDay(4)
    const { id } = await refund(store, order)
    onDay(5)
    await inStore(store.id, (tx) =>
      requestRefund(tx, order.id, { amountMinor: 300n, reason: 'Late', means: 'outside_gateway' }, 'system'),
    )
    onDay(7)
    await rollUpStore(store.id)
    const bounced = { status: 'failed', reference: null, failureReason: 'account_closed' } as const
    await inStore(store.id, (tx) => settleRefund(tx, id, bounced))
  },
  'an order is completed': ({ store, orders }) =>
    inStore(store.id, (tx) => changeOrderStatus(tx, orders[2]?.id ?? '', 'complete', 'system')),
  'goods come back': async ({ store, orders }) => {
    const order = orders[2] as CapturedOrder
    await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'system'))
    onDay(5)
    await buildReceivedReturn(store, order)
    onDay(6)
  },
  'a customer moves to another group': ({ store, customerId }) =>
    inStore(store.id, async (tx) => {
      const { id } = await createGroup(tx, { nameI18n: { en: 'Regulars' } })
      await tx.knex('customers').where('id', customerId).update({ customer_group_id: id })
      // The counts of the groups are another book.
      await tx.knex('customer_counts').update({ customer_group_id: id })
    }),
  'the store moves to another time zone': ({ store }) =>
    superuser.query(`update stores set time_zone = 'Asia/Tokyo' where id = $1`, [store.id]),
}

for (const [change, happen] of Object.entries(CHANGES))
  test(`when ${change}, stored facts are summed anew`, async () => {
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

test('the command sums all days anew', async () => {
  const { store } = await buildRolledUp()
  await superuser.query(
    'update report_facts set sums = array_fill(7::bigint, array[13]) where store_id = $1',
    [store.id],
  )
  const lines: string[] = []
  const print = (line: string) => lines.push(line)

  assert.equal(await rebuildReports(store.slug, print), 0)
  assert.equal(await rebuildReports('no-such-store', print), 2)

  assert.equal(lines[0], `${store.slug}  6 days`)
  const { stored, recounted } = await readBoth(store)
  assert.deepEqual(stored, recounted)
})

testBooks()
