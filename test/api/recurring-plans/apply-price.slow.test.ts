import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { MAIL_BACKLOG } from '#shared/mail/mail-backlog.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { announceAndMailPrices } from '#shared/subscription-mails/announce-and-mail-prices.ts'
import { updateSubscription } from '#shared/subscriptions/changes/update-subscription.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { PriceChange } from '#shared/subscriptions/prices/price-change.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { buildApiToken, signInAgain } from '#test/support/builders/accounts.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { emptyMailQueue, fillMailQueue } from '#test/support/faults/mail-backlog.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

beforeEach(() => mailbox.clear())

type Plan = NonNullable<NonNullable<Parameters<typeof buildSubscription>[1]>['plan']>

let shops = 0

/** A plan at 8.00 a month whose subscription began on 31 January 2027, and what its customer and staff do. */
async function subscribed(plan: Plan = {}) {
  freezeClock(new Date('2027-01-31T10:00:00.000Z'))
  const name = `Harbor (${++shops})`
  const store = await buildStore({ name, timeZone: 'UTC' })
  const built = await buildSubscription(store, { plan: { nameI18n: { en: 'Monthly' }, ...plan } })
  const { token } = await buildApiToken(store, 'sales:read', 'sales:write', 'catalog:write', 'system:read')
  await drainJobs()
  mailbox.clear()
  const planPath = `/admin/recurring-plans/${built.planId}`
  const staff = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  return {
    ...built,
    store,
    staff,
    setPrice: (price: number | null) => staff(`PATCH ${planPath}`, { price }),
    applyPrice: (body: object = {}) => staff(`POST ${planPath}/apply-price`, body),
    own: async (line: string) => request(line, { store, token: await signInAgain(store, built.customer) }),
    read: async (id = built.id) => (await staff(`GET /admin/subscriptions/${id}`)).data,
    subtotals: async () => {
      const { data } = await staff(`GET /admin/orders?subscription_id=${built.id}&sort=created_at`)
      return data.slice(1).map(({ subtotal }: { subtotal: number }) => subtotal)
    },
    mails: () =>
      mailbox
        .mails()
        .toReversed()
        .filter(({ subject }) => subject.includes(name) && /price/i.test(subject))
        .map((mail) => ({ ...mail, subject: mail.subject.replace(name, 'Harbor') })),
  }
}

/** Moves the clock to a time and does what is due then. */
async function at(time: string): Promise<void> {
  freezeClock(new Date(time))
  await enqueueDueCharges()
  await drainJobs()
}

test('the price of a plan is applied 20 times an hour, then refused with 429; each time mails its customers', async () => {
  const { setPrice, applyPrice, mails } = await subscribed()
  const changes = Array.from({ length: 21 }, (_, n) => 9 + n / 10)
  const statuses: number[] = []
  for (const price of changes) {
    await setPrice(price)
    statuses.push((await applyPrice()).status)
    await drainJobs()
  }

  freezeClock(new Date('2027-01-31T11:00:01.000Z'))
  const later = await applyPrice()

  assert.deepEqual(statuses, [...Array(20).fill(202), 429])
  assert.equal(mails().length, 20)
  assert.equal(later.status, 202)
})

test('a price applies from the first charge at its time or later, and is announced', async () => {
  const { setPrice, applyPrice, read, subtotals, mails } = await subscribed()
  await setPrice(9.5)
  assert.partialDeepStrictEqual(await read(), { unit_price: 8, next_price: null })

  const { status, data } = await applyPrice({ from: '2027-03-01T00:00:00Z' })
  await drainJobs()

  assert.equal(status, 202)
  assert.partialDeepStrictEqual(data, { unit_price: 9.5, from: '2027-03-01T00:00:00.000Z', subscriptions: 1 })
  assert.partialDeepStrictEqual(await read(), {
    unit_price: 8,
    next_price: { unit_price: 9.5, from: '2027-03-01T00:00:00.000Z' },
    next_charge: { amount: { subtotal: 8 } },
  })
  const [mail, ...others] = mails()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'New price of your subscription “Monthly” at Harbor from March 31, 2027')
  assert.match(
    mail?.text ?? '',
    /Price of a unit until now: €8\.00\nPrice of a unit from March 31, 2027: €9\.50/,
  )
  assert.match(mail?.text ?? '', /cancel the subscription before March 31, 2027/)

  await at('2027-02-28T10:00Z')
  assert.partialDeepStrictEqual(await read(), { unit_price: 8, next_charge: { amount: { subtotal: 9.5 } } })
  await at('2027-03-31T10:00Z')
  assert.deepEqual(await subtotals(), [8, 9.5])
  assert.partialDeepStrictEqual(await read(), { unit_price: 9.5, next_price: null })
  await at('2027-04-30T10:00Z')
  assert.deepEqual(await subtotals(), [8, 9.5, 9.5])
})

test('without a time, the price applies in 14 days; an earlier time is refused', async () => {
  const { setPrice, applyPrice, read, mails } = await subscribed()
  await setPrice(9)

  const early = await applyPrice({ from: '2027-02-14T09:59:59Z' })
  await drainJobs()
  assert.partialDeepStrictEqual(early, { status: 422, detail: [{ loc: ['body', 'from'] }] })
  assert.equal((await read()).next_price, null)

  const { data } = await applyPrice()
  await drainJobs()

  assert.equal(data.from, '2027-02-14T10:00:00.000Z')
  assert.match(mails()[0]?.subject ?? '', /from February 28, 2027$/)
})

test('a trial keeps its price', async () => {
  const { setPrice, applyPrice, subtotals, mails } = await subscribed({
    trial: { priceMinor: 100n, duration: 1, durationUnit: 'month', cycle: 2 },
  })
  await setPrice(9)
  await applyPrice()
  await drainJobs()
  assert.match(mails()[0]?.subject ?? '', /from March 31, 2027$/)

  await at('2027-02-28T10:00Z')
  await at('2027-03-31T10:00Z')

  assert.deepEqual(await subtotals(), [1, 9])
})

test('a charge that waits for stock keeps the price of its date', async () => {
  const { setPrice, applyPrice, subtotals, store, variantId } = await subscribed()
  await setPrice(9)
  await applyPrice({ from: '2027-03-01T00:00:00Z' })
  await drainJobs()
  const { token } = await buildApiToken(store, 'catalog:write')
  const restock = (delta: number) =>
    request(`POST /admin/variants/${variantId}/stock`, { token, body: { delta } })
  assert.equal((await restock(-999)).status, 201)
  await at('2027-02-28T10:00Z')
  assert.deepEqual(await subtotals(), [])
  await restock(10)

  await at('2027-03-01T10:00Z')

  assert.deepEqual(await subtotals(), [8])
})

test('the price of the variant is applied in the quantity of each subscription, also when that changes before', async () => {
  const { setPrice, applyPrice, staff, store, id, productId, read } = await subscribed()
  await setPrice(null)
  const items = [{ kind: 'quantity', price: 6, min_quantity: 10 }]
  await staff(`PUT /admin/products/${productId}/price-rules`, { items })
  await inStore(store.id, (tx) =>
    Subscription.in(tx).findById(id).patch({ quantity: 10, unitPriceMinor: 500n, priceQuantity: 10 }),
  )

  await applyPrice()
  await drainJobs()
  const announced = await read()
  await inStore(store.id, (tx) => updateSubscription(tx, id, { quantity: 1 }, {}))

  assert.partialDeepStrictEqual(announced, { unit_price: 5, next_price: { unit_price: 6 } })
  assert.partialDeepStrictEqual(await read(), { unit_price: 10, next_price: { unit_price: 10 } })
})

test('subscriptions that have ended, end before, or pay the price already get no mail', async () => {
  const { setPrice, applyPrice, own, id, planId, store, read, mails } = await subscribed({ cycle: 2 })
  const canceled = await buildSubscription(store, { planId })
  await request(`POST /subscriptions/${canceled.id}/cancel`, {
    store,
    token: await signInAgain(store, canceled.customer),
  })
  await setPrice(9)
  const late = await buildSubscription(store, { planId })
  await drainJobs()
  mailbox.clear()

  const { data } = await applyPrice({ from: '2027-03-01T00:00:00Z' })
  await drainJobs()

  assert.equal(data.subscriptions, 2)
  assert.equal(mails().length, 0)
  for (const each of [id, canceled.id, late.id]) assert.equal((await read(each)).next_price, null)
  assert.equal((await own(`GET /subscriptions/${id}`)).data.next_price, null)
})

test('an announced price can be replaced and revoked, and a repeat is not mailed', async () => {
  const { setPrice, applyPrice, read, mails } = await subscribed()
  const from = '2027-03-01T00:00:00.000Z'
  const apply = async (price: number) => {
    await setPrice(price)
    await applyPrice({ from })
    await drainJobs()
  }

  await apply(9)
  await apply(9)
  await apply(7)
  assert.deepEqual((await read()).next_price, { unit_price: 7, from })
  await apply(8)

  assert.equal((await read()).next_price, null)
  assert.deepEqual(
    mails().map(({ subject }) => subject),
    [
      'New price of your subscription “Monthly” at Harbor from March 31, 2027',
      'New price of your subscription “Monthly” at Harbor from March 31, 2027',
      'The price of your subscription “Monthly” at Harbor stays as it is',
    ],
  )
})

test('each of many subscriptions gets one mail, also with concurrent or killed workers', async () => {
  const { setPrice, applyPrice, store, planId, customer, productId, variantId, mails } = await subscribed()
  const of = { productId, variantId }
  for (let count = 0; count < 54; count++) await buildSubscription(store, { planId, customer, of })
  await drainJobs()
  mailbox.clear()
  await setPrice(9)
  const { data } = await applyPrice()
  const change = await inStore(store.id, (tx) => PriceChange.in(tx).findOne({ recurring_plan_id: planId }))
  const run = () => inStore(store.id, (tx) => announceAndMailPrices(tx, change?.id ?? ''))

  await assert.rejects(
    inStore(store.id, async (tx) => {
      await announceAndMailPrices(tx, change?.id ?? '')
      throw new Error('The worker dies')
    }),
    /The worker dies/,
  )
  await Promise.all([run(), run(), run()])
  await drainJobs()

  assert.equal(data.subscriptions, 55)
  assert.equal(mails().length, 55)
  const { rows } = await inStore(store.id, (tx) =>
    tx.knex.raw(
      `select count(*)::int as changed, (select count(*)::int from events where store_id = :store
         and type = 'subscription.updated') as events
       from subscriptions where store_id = :store and next_price_minor = 900`,
      { store: store.id },
    ),
  )
  assert.deepEqual(rows, [{ changed: 55, events: 55 }])
})

test('a price is announced once its store has no backlog of mails, also with killed workers', async () => {
  const { setPrice, applyPrice, store, planId, customer, productId, variantId, mails } = await subscribed()
  for (let count = 0; count < 54; count++)
    await buildSubscription(store, { planId, customer, of: { productId, variantId } })
  await drainJobs()
  mailbox.clear()
  await setPrice(9)
  await applyPrice()
  await fillMailQueue(store, MAIL_BACKLOG)
  const change = await inStore(store.id, (tx) => PriceChange.in(tx).findOne({ recurring_plan_id: planId }))
  const die = (tx: StoreTx) =>
    announceAndMailPrices(tx, change?.id ?? '').then(() => {
      throw new Error('The worker dies')
    })
  const nextAt = (seconds: number) => freezeClock(new Date(Date.UTC(2027, 0, 31, 10, 0, seconds)))

  await assert.rejects(inStore(store.id, die), /The worker dies/)
  await drainJobs()
  nextAt(11)
  await drainJobs()
  const withBacklog = mails().length
  await emptyMailQueue(store)
  nextAt(22)
  await assert.rejects(inStore(store.id, die), /The worker dies/)
  await drainJobs()

  assert.deepEqual({ withBacklog, afterwards: mails().length }, { withBacklog: 0, afterwards: 55 })
})

test('the backlog of mails of another store delays no announcement', async () => {
  const { setPrice, applyPrice, mails } = await subscribed()
  const other = await buildStore()
  await fillMailQueue(other, MAIL_BACKLOG)
  await setPrice(9)
  await applyPrice()

  await drainJobs()

  assert.equal(mails().length, 1)
  await emptyMailQueue(other)
})

test('a customer who changes to another plan while a price is announced keeps the price of the other plan', async () => {
  const { setPrice, applyPrice, read, mails, store, planId, productId, id } = await subscribed()
  const other = await buildPlan(store, { productIds: [productId], priceMinor: 500n })
  await setPrice(99)
  await applyPrice()
  const change = await inStore(store.id, (tx) => PriceChange.in(tx).findOne({ recurring_plan_id: planId }))
  const switching = await pending(
    (work) => inStore(store.id, work),
    (tx) => updateSubscription(tx, id, { recurringPlanId: other.id }, {}),
  )

  const announcing = inStore(store.id, (tx) => announceAndMailPrices(tx, change?.id ?? ''))
  await untilOneWaits()
  switching.commit()
  await Promise.all([switching.done, announcing])
  await drainJobs()

  assert.partialDeepStrictEqual(await read(), { unit_price: 5, next_price: null })
  assert.deepEqual(mails(), [])
})

test('the price of an unknown or deleted plan cannot be applied, and another plan’s subscribers keep theirs', async () => {
  const { staff, setPrice, applyPrice, planId } = await subscribed()
  const other = await subscribed()
  await setPrice(9)
  await applyPrice()
  await drainJobs()
  assert.equal((await other.read()).next_price, null)

  await staff(`DELETE /admin/recurring-plans/${planId}`)

  assert.equal((await applyPrice()).status, 404)
  assert.equal((await other.staff(`POST /admin/recurring-plans/${planId}/apply-price`, {})).status, 404)
})
