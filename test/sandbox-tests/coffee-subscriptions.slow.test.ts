import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { seedCoffeeSubscriptions } from '#migrations/seeds/coffee-subscriptions.ts'
import { seedYearOfOrders } from '#migrations/seeds/year-of-orders.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { assertBooks } from '#test/support/books/test-books.ts'
import { openDemoStore } from '#test/support/builders/open-demo-store.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'

const SUBSCRIPTIONS = 18

/** What changes whenever the service has something to tell: of all stores. */
const COUNT_OUTGOING = `
  select (select count(*)::int from pgboss.job) as jobs, (select count(*)::int from events) as events,
    (select count(*)::int from order_mails) as mails, (select count(*)::int from webhook_deliveries) as webhooks`

let id: string
let token: string
let outgoing: { before: unknown; after: unknown }

const read = (line: string) => request(line, { token })
const rowsOf = async (sql: string): Promise<unknown[]> => (await superuser.query(sql, [id])).rows

before(async () => {
  ;({ id, token } = await openDemoStore('harbor'))
  await seedYearOfOrders(id)
  await discardJobs()
  const first = (await superuser.query(COUNT_OUTGOING)).rows
  assert.equal(await seedCoffeeSubscriptions(id), SUBSCRIPTIONS)
  outgoing = { before: first, after: (await superuser.query(COUNT_OUTGOING)).rows }
})

test('every invariant of the books holds', () => assertBooks([id]))

test('it queues no job, event, mail or webhook', () => {
  assert.deepEqual(outgoing.after, outgoing.before)
})

test('the coffee is sold by four plans', async () => {
  const { data } = await read('GET /admin/recurring-plans?sort=sort_order')
  assert.deepEqual(
    data.map((plan: Record<string, unknown>) => ({
      duration_unit: plan.duration_unit,
      cycle: plan.cycle,
      hasTrial: plan.trial !== null,
    })),
    [
      { duration_unit: 'week', cycle: 0, hasTrial: false },
      { duration_unit: 'month', cycle: 0, hasTrial: true },
      { duration_unit: 'year', cycle: 0, hasTrial: false },
      { duration_unit: 'month', cycle: 3, hasTrial: false },
    ],
  )
})

test('no plan sells a large bag at the price of a small one', async () => {
  const { data } = await read('GET /admin/recurring-plans')
  assert.deepEqual(
    data.filter(({ price }: { price: number | null }) => price !== null),
    [],
  )
})

test('subscriptions are in every status, each with the orders of its charges', async () => {
  const { data, meta } = await read('GET /admin/subscriptions?page_size=100')
  assert.equal(meta.total, SUBSCRIPTIONS)
  const statuses = new Set(data.map(({ status }: { status: string }) => status))
  assert.deepEqual([...statuses].sort(), [...SUBSCRIPTION_STATUSES].sort())
  for (const one of data) {
    const orders = await read(`GET /admin/orders?subscription_id=${one.id}&page_size=100`)
    const paid = orders.data.filter((order: { payment_status: string }) => order.payment_status === 'paid')
    assert.equal(paid.length, one.past_charges, `${one.status} ${one.plan_name}`)
  }
})

test('the next charge of each active subscription can be ordered, and is later than now', async () => {
  const { data } = await read('GET /admin/subscriptions?status=active,past_due&page_size=100')
  for (const { id: subscription } of data) {
    const { data: one } = await read(`GET /admin/subscriptions/${subscription}`)
    if (!one.cancels_at_period_end) assert.equal(one.next_charge.problem, '')
    if (one.status === 'active') assert.ok(new Date(one.next_charge_at) > new Date())
  }
})

test('no charge and no history runs backwards', async () => {
  const backwards = await rowsOf(`
    select charge_no from (
      select charge_no, created_at < lag(created_at) over (partition by subscription_id order by charge_no) as earlier
      from subscription_charges where store_id = $1) as charges
    where earlier`)
  assert.deepEqual(backwards, [])
  const late = await rowsOf('select id from order_steps where store_id = $1 and created_at > now()')
  assert.deepEqual(late, [])
})

test('a second run adds nothing', async () => {
  assert.equal(await seedCoffeeSubscriptions(id), 0)
})

test('a month later a worker has charged all that go on, and the books hold', async () => {
  for (let day = 1; day <= 32; day++) {
    moveClock(day * DAY_MS)
    await enqueueDueCharges()
    await drainJobs()
  }

  const failing = await rowsOf(
    `select id, status from subscriptions where store_id = $1 and status = 'past_due'`,
  )
  assert.deepEqual(failing, [])
  const overdue = await rowsOf(
    `select id, due_at from subscriptions
     where store_id = $1 and status = 'active' and due_at < now() + interval '31 days'`,
  )
  assert.deepEqual(overdue, [])
  await assertBooks([id])
})

test('a store without the coffee gets no subscriptions', async () => {
  const { id: other } = await buildStore()
  assert.equal(await seedCoffeeSubscriptions(other), 0)
})
