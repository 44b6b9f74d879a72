import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { Customer } from '#shared/customers/customer.ts'
import { Order } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { transitionStore } from '#shared/stores/lifecycle/transition-store.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildApiToken, signInAgain } from '#test/support/builders/accounts.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const START = new Date('2027-01-31T10:00:00.000Z')

/** A store at a fixed time with a subscription, and what its customer and staff do. */
async function subscribed(given: Parameters<typeof buildSubscription>[1] = {}) {
  freezeClock(START)
  const store = await buildStore({ timeZone: 'UTC' })
  const built = await buildSubscription(store, given)
  const { token } = await buildApiToken(store, 'sales:read', 'sales:write', 'catalog:write', 'system:read')
  const own = async (line: string, body?: object) => {
    const customerToken = await signInAgain(store, built.customer)
    return request(line, { store, token: customerToken, ...(body ? { body } : {}) })
  }
  const path = `/subscriptions/${built.id}`
  return {
    ...built,
    store,
    path,
    own,
    staff: (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) }),
    restock: async () => {
      const line = `POST /admin/variants/${built.variantId}/stock`
      assert.equal((await request(line, { token, body: { delta: 5 } })).status, 201)
    },
    read: async () => (await own(`GET ${path}`)).data,
    orders: async () => {
      const line = `GET /admin/orders?subscription_id=${built.id}&sort=created_at`
      const { data } = await request(line, { token })
      return data.filter(({ id }: { id: string }) => id !== built.orderId)
    },
  }
}

/** Moves the clock to a time and does what is due then, as the worker does every minute. */
async function at(time: string): Promise<void> {
  freezeClock(new Date(time))
  await enqueueDueCharges()
  await drainJobs()
}

test('each period from the start on is charged by an order of its own', async () => {
  const { read, orders, own } = await subscribed()

  await at('2027-02-28T09:59:59.000Z')
  assert.equal((await orders()).length, 0)
  await at('2027-02-28T10:00:00.000Z')
  await at('2027-02-28T10:01:00.000Z')
  await at('2027-03-31T10:00:30.000Z')

  const made = await orders()
  assert.deepEqual(
    made.map((order: { charge_no: number; status: string; total: number; payment_status: string }) => ({
      charge: order.charge_no,
      status: order.status,
      total: order.total,
      paid: order.payment_status,
    })),
    [
      { charge: 2, status: 'processing', total: 13, paid: 'paid' },
      { charge: 3, status: 'processing', total: 13, paid: 'paid' },
    ],
  )
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    past_charges: 3,
    next_charge_at: '2027-04-30T10:00:00.000Z',
  })
  assert.equal((await own('GET /orders')).data.length, 3)
})

test('a trial is charged at its price, then the plan at its own, until it is completed', async () => {
  const { read, orders } = await subscribed({
    plan: { cycle: 2, trial: { priceMinor: 100n, duration: 1, durationUnit: 'week', cycle: 2 } },
  })
  assert.partialDeepStrictEqual(await read(), { charges_left: 3, is_trial: true })

  for (const time of ['2027-02-07T10:00Z', '2027-02-14T10:00Z', '2027-03-14T10:00Z', '2027-04-14T10:00Z'])
    await at(time)

  assert.deepEqual(
    (await orders()).map((order: { subtotal: number }) => order.subtotal),
    [1, 8, 8],
  )
  assert.partialDeepStrictEqual(await read(), {
    status: 'completed',
    charges_left: 0,
    next_charge_at: null,
    next_charge: null,
  })
})

test('after three weeks without a worker, the missed periods are charged in order, one a day', async () => {
  const { read, orders } = await subscribed({ plan: { durationUnit: 'week' } })

  await at('2027-02-22T08:00Z')
  await at('2027-02-22T20:00Z')
  assert.equal((await orders()).length, 1)
  await at('2027-02-23T08:00Z')
  await at('2027-02-24T08:00Z')

  assert.equal((await orders()).length, 3)
  assert.partialDeepStrictEqual(await read(), { past_charges: 4, next_charge_at: '2027-02-28T10:00:00.000Z' })
})

for (const [closed, reopenedAt, charges] of [
  ['for a week', '2027-02-22T11:00Z', 0],
  ['for an hour', '2027-02-14T11:00Z', 1],
] as const)
  test(`a store that was closed ${closed} charges what it missed ${charges} times, then at the next date`, async () => {
    const { orders, read, store } = await subscribed({ plan: { durationUnit: 'week' } })
    await at('2027-02-07T10:00Z')
    freezeClock(new Date('2027-02-14T09:59Z'))
    await inStore(store.id, (tx) => transitionStore(tx, 'suspended'))
    await at('2027-02-14T10:30Z')
    assert.equal((await inStore(store.id, (tx) => Order.in(tx).where('charge_no', 3))).length, 0)

    freezeClock(new Date(reopenedAt))
    await inStore(store.id, (tx) => transitionStore(tx, 'active'))
    await at(reopenedAt)
    const missed = (await orders()).length - 1
    const { next_charge_at } = await read()
    await at(next_charge_at)

    assert.equal(missed, charges)
    assert.ok(new Date(next_charge_at) > new Date(reopenedAt), next_charge_at)
    assert.equal((await orders()).length, charges + 2)
  })

test('charges of a trial that a pause skips do not become charges of the plan', async () => {
  const { read, orders, own, path } = await subscribed({
    plan: { cycle: 2, trial: { priceMinor: 0n, duration: 1, durationUnit: 'week', cycle: 3 } },
  })
  await own(`POST ${path}/pause`)
  freezeClock(new Date('2027-02-15T10:00Z'))

  const { data } = await own(`POST ${path}/resume`)
  for (const time of ['2027-02-21T10:00Z', '2027-03-21T10:00Z', '2027-04-21T10:00Z']) await at(time)

  assert.partialDeepStrictEqual(data, { is_trial: false, charges_left: 2 })
  assert.deepEqual(
    (await orders()).map((order: { subtotal: number }) => order.subtotal),
    [8, 8],
  )
  assert.equal((await read()).status, 'completed')
})

test('the quantity can be lowered during the trial, and raised after it', async () => {
  const { own, path } = await subscribed({
    quantity: 3,
    plan: { trial: { priceMinor: 100n, duration: 1, durationUnit: 'week', cycle: 2 } },
  })
  const change = (quantity: number) => own(`PATCH ${path}`, { quantity })

  const during = [await change(4), await change(2)]
  await at('2027-02-07T10:00Z')
  const after = await change(4)

  assert.partialDeepStrictEqual(during[0], { status: 409, error_code: 'subscription.not_changeable' })
  assert.deepEqual([during[1]?.status, after.status], [200, 200])
})

for (const [before, after] of [
  ['active', 'paused'],
  ['past_due', 'suspended'],
] as const)
  test(`a customer who was deactivated is not charged; the ${before} subscription is ${after}`, async () => {
    const { id, customer, store, orders, restock } = await subscribed({
      stockOnHand: before === 'past_due' ? 1 : 10,
    })
    if (before === 'past_due') await at('2027-02-28T10:00Z')
    await restock()
    await inStore(store.id, (tx) => Customer.in(tx).findById(customer.id).patch({ isActive: false }))

    await at('2027-03-02T10:00Z')

    const stopped = await inStore(store.id, (tx) => Subscription.in(tx).findById(id))
    assert.partialDeepStrictEqual(stopped, { status: after, dueAt: null })
    await inStore(store.id, (tx) => Customer.in(tx).findById(customer.id).patch({ isActive: true }))
    assert.equal((await orders()).length, 0)
  })

test('a charge for which the stock is short is tried again on days 1, 3, 5 and 7, then suspended', async () => {
  const { read, orders, restock, staff, own, path } = await subscribed({ stockOnHand: 1 })
  await at('2027-02-28T10:00Z')
  assert.partialDeepStrictEqual(await read(), {
    status: 'past_due',
    failed_charge: {
      charge_no: 2,
      order_id: null,
      attempts: 1,
      reason: 'checkout.insufficient_stock',
      next_attempt_at: '2027-03-01T10:00:00.000Z',
    },
  })
  const { data: failing } = await staff('GET /admin/subscriptions?status=past_due,suspended')
  assert.equal(failing.length, 1)

  for (const day of ['03-01', '03-03', '03-05']) await at(`2027-${day}T10:00Z`)
  assert.equal((await read()).failed_charge.attempts, 4)
  await at('2027-03-07T10:00Z')
  assert.partialDeepStrictEqual(await read(), {
    status: 'suspended',
    failed_charge: { attempts: 5, next_attempt_at: null },
  })
  await restock()
  await at('2027-04-29T10:00Z')
  assert.equal((await orders()).length, 0)

  const byStaff = await staff(`POST /admin${path}/resume`)
  const byCustomer = await own(`POST ${path}/resume`)
  await drainJobs()

  assert.partialDeepStrictEqual(byStaff, { status: 409, error_code: 'subscription.invalid_transition' })
  assert.partialDeepStrictEqual(byCustomer, { status: 200, data: { status: 'past_due' } })
  assert.equal((await orders()).length, 1)
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    failed_charge: null,
    next_charge_at: '2027-04-30T10:00:00.000Z',
  })
})

test('a charge that failed is made with the next attempt, and the dates stay', async () => {
  const { read, orders, restock } = await subscribed({ stockOnHand: 1 })
  await at('2027-02-28T10:00Z')
  await restock()

  await at('2027-03-01T09:00Z')
  assert.equal((await orders()).length, 0)
  await at('2027-03-01T10:00Z')

  assert.equal((await orders()).length, 1)
  assert.partialDeepStrictEqual(await read(), {
    status: 'active',
    failed_charge: null,
    next_charge_at: '2027-03-31T10:00:00.000Z',
  })
})

test('a paused subscription is not charged, and resumes at its next date', async () => {
  const { read, orders, own, path } = await subscribed()

  assert.partialDeepStrictEqual(await own(`POST ${path}/pause`), {
    status: 200,
    data: { status: 'paused', next_charge_at: null },
  })
  await at('2027-05-10T10:00Z')
  assert.equal((await orders()).length, 0)
  assert.partialDeepStrictEqual(await own(`POST ${path}/resume`), {
    data: { status: 'active', next_charge_at: '2027-05-31T10:00:00.000Z' },
  })
  await at('2027-05-31T10:00Z')

  assert.equal((await orders()).length, 1)
  assert.equal((await read()).past_charges, 2)
})

test('a canceled subscription is never charged again, immediately or from the end of the period', async () => {
  const now = await subscribed()
  assert.partialDeepStrictEqual(await now.own(`POST ${now.path}/cancel`), {
    data: { status: 'canceled', next_charge: null },
  })
  await at('2027-04-30T10:00Z')
  assert.equal((await now.orders()).length, 0)

  const later = await subscribed()
  assert.partialDeepStrictEqual(await later.own(`POST ${later.path}/cancel?at=period_end`), {
    data: { status: 'active', cancels_at_period_end: true, next_charge: null },
  })
  await at('2027-02-28T10:00Z')
  assert.partialDeepStrictEqual(await later.read(), {
    status: 'canceled',
    ended_at: '2027-02-28T10:00:00.000Z',
  })
  assert.equal((await later.orders()).length, 0)
  assert.partialDeepStrictEqual(await later.own(`POST ${later.path}/resume`), {
    status: 409,
    error_code: 'subscription.invalid_transition',
  })
})

test('a cancellation at the end of the period can be taken back until then', async () => {
  const { orders, own, path } = await subscribed()
  await own(`POST ${path}/cancel?at=period_end`)
  assert.equal((await own(`POST ${path}/skip`)).error_code, 'subscription.not_changeable')

  assert.partialDeepStrictEqual(await own(`POST ${path}/resume`), {
    status: 200,
    data: { status: 'active', cancels_at_period_end: false },
  })
  await at('2027-02-28T10:00Z')
  assert.equal((await orders()).length, 1)
  assert.equal((await own(`POST ${path}/resume`)).status, 409)
})

test('a skipped delivery moves the date by a period, and does not count as a charge of the plan', async () => {
  const { read, orders, own, path } = await subscribed({ plan: { cycle: 3 } })

  const { data } = await own(`POST ${path}/skip`)
  assert.partialDeepStrictEqual(data, { next_charge_at: '2027-03-31T10:00:00.000Z', charges_left: 2 })
  await at('2027-02-28T10:00Z')
  assert.equal((await orders()).length, 0)
  await at('2027-03-31T10:00Z')
  await at('2027-04-30T10:00Z')

  assert.equal((await orders()).length, 2)
  assert.equal((await read()).status, 'completed')
})

test('a changed quantity and address apply from the next charge on', async () => {
  const { orders, own, path } = await subscribed()
  const before = await own(`GET ${path}`)
  const address = { ...before.data.shipping_address, city: 'Husum' }

  const { status, data } = await own(`PATCH ${path}`, { quantity: 3, shipping_address: address })

  assert.equal(status, 200)
  assert.equal(data.next_charge.amount.subtotal, 24)
  await at('2027-02-28T10:00Z')
  assert.partialDeepStrictEqual((await orders())[0], { subtotal: 24, shipping_address: { city: 'Husum' } })
})

/** A subscription to 10 units, bought at a discount from 10 units on by a plan without a price. */
async function discounted() {
  const built = await subscribed({ quantity: 10, plan: { priceMinor: null } })
  const priceOf = async (quantity: number) =>
    (await built.own(`PATCH ${built.path}`, { quantity })).data.unit_price
  const setRules = async (items: object[]) => {
    const line = `PUT /admin/products/${built.productId}/price-rules`
    assert.equal((await built.staff(line, { items })).status, 200)
  }
  await setRules([{ kind: 'quantity', price: 5, min_quantity: 10 }])
  await inStore(built.store.id, (tx) =>
    Subscription.in(tx).findById(built.id).patch({ unitPriceMinor: 500n, priceQuantity: 10 }),
  )
  return { ...built, priceOf, setRules }
}

test('a quantity that leaves or enters a quantity discount gets the price of that quantity', async () => {
  const { read, priceOf } = await discounted()

  const prices = [await priceOf(11), await priceOf(9), await priceOf(2), await priceOf(20)]

  assert.deepEqual(prices, [5, 10, 10, 5])
  assert.equal((await read()).next_charge.amount.subtotal, 100)
})

test('a quantity discount that has ended is kept for its quantity, and not for fewer units', async () => {
  const { priceOf, setRules } = await discounted()
  await setRules([])

  const prices = [
    await priceOf(12),
    await priceOf(11),
    await priceOf(10),
    await priceOf(1),
    await priceOf(10),
  ]

  assert.deepEqual(prices, [5, 5, 5, 10, 10])
})

test('a price of the plan holds for any quantity', async () => {
  const { own, staff, path, productId } = await subscribed({ quantity: 10 })
  const items = [{ kind: 'quantity', price: 5, min_quantity: 10 }]
  assert.equal((await staff(`PUT /admin/products/${productId}/price-rules`, { items })).status, 200)

  const priceOf = async (quantity: number) => (await own(`PATCH ${path}`, { quantity })).data.unit_price

  for (const quantity of [1, 10, 20]) assert.equal(await priceOf(quantity), 8, `${quantity} units`)
})

test('a lower quantity keeps a unit price without a quantity discount, even if the price of the variant has risen', async () => {
  const { own, path, variantId, store } = await subscribed({ quantity: 3, plan: { priceMinor: null } })
  await inStore(store.id, (tx) => ProductVariant.in(tx).findById(variantId).patch({ priceMinor: 1_200n }))

  const { data } = await own(`PATCH ${path}`, { quantity: 1 })

  assert.equal(data.unit_price, 10)
})

test('another plan applies from the next charge on, which keeps its date', async () => {
  const { orders, own, path, store, productId } = await subscribed()
  const plan = await buildPlan(store, {
    durationUnit: 'week',
    duration: 2,
    priceMinor: 500n,
    cycle: 2,
    productIds: [productId],
  })

  const { data } = await own(`PATCH ${path}`, { recurring_plan_id: plan.id })

  assert.partialDeepStrictEqual(data, {
    recurring_plan_id: plan.id,
    unit_price: 5,
    duration_unit: 'week',
    charges_left: 2,
    next_charge_at: '2027-02-28T10:00:00.000Z',
  })
  await at('2027-02-28T10:00Z')
  await at('2027-03-14T10:00Z')
  assert.deepEqual(
    (await orders()).map((order: { subtotal: number }) => order.subtotal),
    [5, 5],
  )
})

test('another plan without a price of its own sells at the price of the variant in the quantity of the subscription', async () => {
  const { own, staff, path, store, productId } = await subscribed({ quantity: 10 })
  const items = [{ kind: 'quantity', price: 5, min_quantity: 10 }]
  await staff(`PUT /admin/products/${productId}/price-rules`, { items })
  const plan = await buildPlan(store, { durationUnit: 'week', priceMinor: null, productIds: [productId] })

  const { data } = await own(`PATCH ${path}`, { recurring_plan_id: plan.id })

  assert.partialDeepStrictEqual(data, {
    unit_price: 5,
    quantity: 10,
    next_charge: { amount: { subtotal: 50 } },
  })
})

test('a plan of another product, an inactive one or one of a past-due subscription is refused', async () => {
  const { own, path, store, productId } = await subscribed({ stockOnHand: 1 })
  const offered = await buildPlan(store, { productIds: [productId] })
  const others = [
    await buildPlan(store),
    await buildPlan(store, { productIds: [productId], isActive: false }),
    await buildPlan(await buildStore(), {}),
  ]

  for (const { id } of others) {
    const { status, detail } = await own(`PATCH ${path}`, { recurring_plan_id: id })
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['body', 'recurring_plan_id'] })
  }
  await at('2027-02-28T10:00Z')
  assert.partialDeepStrictEqual(await own(`PATCH ${path}`, { recurring_plan_id: offered.id }), {
    status: 409,
    error_code: 'subscription.not_changeable',
  })
})

test('a subscription emits events that webhooks receive', async () => {
  const { own, path, staff } = await subscribed({ plan: { cycle: 2 } })
  await own(`POST ${path}/pause`)
  await own(`POST ${path}/resume`)
  await at('2027-02-28T10:00Z')
  await drainJobs()

  const { data } = await staff('GET /admin/events?limit=100')

  assert.deepEqual(
    data.map(({ type }: { type: string }) => type).filter((type: string) => type.startsWith('subscription.')),
    ['created', 'charged', 'paused', 'resumed', 'charged', 'completed'].map((type) => `subscription.${type}`),
  )
})

testBooks()
