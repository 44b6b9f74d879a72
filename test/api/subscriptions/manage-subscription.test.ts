import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

/** A store at a fixed time with a subscription, and what its customer and staff do. */
async function subscribed(given: Parameters<typeof buildSubscription>[1] = {}) {
  freezeClock(new Date('2027-01-31T10:00:00.000Z'))
  const store = await buildStore({ timeZone: 'UTC' })
  const customer = await buildCustomer(store)
  const { id, planId, productId } = await buildSubscription(store, { customer, ...given })
  const { token } = await buildStaff(store, { role: 'administrator' })
  const path = `/subscriptions/${id}`
  const own = (line: string, body?: object, headers = {}) =>
    request(line, { store, token: customer.token, headers, ...(body ? { body } : {}) })
  const staff = (line: string, body?: object, headers = {}) =>
    request(line, { token, headers, ...(body ? { body } : {}) })
  const read = async () => (await own(`GET ${path}`)).data
  return { store, customer, id, planId, productId, path, own, staff, read }
}

test('a paid subscription is active, and shows the date and the amount of its next charge', async () => {
  const { read } = await subscribed({ quantity: 2 })

  const subscription = await read()

  assert.partialDeepStrictEqual(subscription, {
    status: 'active',
    unit_price: 8,
    quantity: 2,
    past_charges: 1,
    charges_left: null,
    next_charge_at: '2027-02-28T10:00:00.000Z',
    next_charge: {
      charge_no: 2,
      at: '2027-02-28T10:00:00.000Z',
      amount: { subtotal: 16, shipping_total: 5, tax_total: 0, total: 21 },
      problem: '',
    },
  })
})

test('a paused subscription has no next charge until its customer resumes it', async () => {
  const { own, path, read } = await subscribed()
  const before = await read()

  const paused = await own(`POST ${path}/pause`)
  const resumed = await own(`POST ${path}/resume`)

  assert.partialDeepStrictEqual(paused, { status: 200, data: { status: 'paused', next_charge: null } })
  assert.partialDeepStrictEqual(resumed, {
    status: 200,
    data: { status: 'active', next_charge_at: before.next_charge_at },
  })
})

test('a canceled subscription refuses every other change, of the customer and of staff', async () => {
  const { id, own, staff, path, read } = await subscribed()
  await own(`POST ${path}/cancel`)
  const canceled = await read()

  for (const [step, error_code] of [
    ['cancel', 'subscription.invalid_transition'],
    ['pause', 'subscription.invalid_transition'],
    ['resume', 'subscription.invalid_transition'],
    ['skip', 'subscription.not_changeable'],
  ] as const)
    for (const refused of [
      await own(`POST ${path}/${step}`),
      await staff(`POST /admin/subscriptions/${id}/${step}`, {}),
    ])
      assert.partialDeepStrictEqual(refused, { status: 409, error_code }, step)
  for (const refused of [
    await own(`PATCH ${path}`, { quantity: 2 }),
    await staff(`PATCH /admin/subscriptions/${id}`, { quantity: 2 }),
  ])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'subscription.not_changeable' })
  assert.deepEqual(await read(), canceled)
})

test('the id of its own plan in a change keeps the terms, and does not begin its charges again', async () => {
  const { own, staff, path, read, planId } = await subscribed({ plan: { cycle: 2 } })
  await staff(`PATCH /admin/recurring-plans/${planId}`, { price: 99 })

  const { status } = await own(`PATCH ${path}`, { quantity: 2, recurring_plan_id: planId.toUpperCase() })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(await read(), { quantity: 2, unit_price: 8, charges_left: 1 })
})

test('an unknown shipping method or an invalid quantity returns 422 and changes nothing', async () => {
  const { own, path, read } = await subscribed()
  const before = await read()

  for (const body of [{ shipping_method_id: randomUUID() }, { quantity: 1_000 }, { quantity: 0 }])
    assert.equal((await own(`PATCH ${path}`, body)).status, 422, JSON.stringify(body))

  assert.deepEqual(await read(), before)
})

type Subscribed = Awaited<ReturnType<typeof subscribed>>

for (const [title, error_code, prevent] of [
  [
    'whose payment method is disabled',
    'checkout.payment_method_disabled',
    ({ staff }: Subscribed) => staff('PATCH /admin/payment-methods/sandbox', { is_active: false }),
  ],
  [
    'whose product is no longer sold',
    'checkout.insufficient_stock',
    ({ staff, productId }: Subscribed) => staff(`PATCH /admin/products/${productId}`, { is_active: false }),
  ],
] as const)
  test(`a change of a subscription ${title} is refused, by the customer and by staff`, async () => {
    const built = await subscribed()
    const { own, staff, path, read } = built
    assert.equal((await prevent(built)).status, 200)
    const before = await read()

    for (const refused of [
      await own(`PATCH ${path}`, { quantity: 2 }),
      await staff(`PATCH /admin${path}`, { quantity: 2 }),
    ])
      assert.equal(refused.error_code, error_code)

    assert.deepEqual(await read(), before)
  })

test('a change with an outdated If-Match returns 412 resource.changed, to the customer and to staff', async () => {
  const { own, staff, path, read } = await subscribed()
  const { headers } = await own(`GET ${path}`)
  const outdated = { 'If-Match': headers.get('etag') ?? '' }
  await own(`PATCH ${path}`, { quantity: 2 })
  const before = await read()

  for (const stale of [
    await own(`PATCH ${path}`, { quantity: 3 }, outdated),
    await staff(`PATCH /admin${path}`, { quantity: 3 }, outdated),
  ])
    assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })

  assert.deepEqual(await read(), before)
})

test('another card before the first order is paid, or after the end, returns subscription.not_changeable', async () => {
  const { store, customer, path, own, read } = await subscribed({ paymentMethod: 'card' })
  const { token } = customer
  const give = () => request(`POST ${path}/payment-method`, { store, token, key: randomUUID() })

  const [{ status: first }, early] = [await read(), await give()]
  await own(`POST ${path}/cancel`)
  const [{ status: last }, late] = [await read(), await give()]

  assert.deepEqual({ first, last }, { first: 'pending', last: 'canceled' })
  for (const refused of [early, late])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'subscription.not_changeable' })
})

test('another card for a subscription without one returns subscription.no_card', async () => {
  const { store, customer, path } = await subscribed()
  const { token } = customer

  const refused = await request(`POST ${path}/payment-method`, { store, token, key: randomUUID() })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'subscription.no_card' })
})

test('a customer neither sees nor changes the subscription of another', async () => {
  const { store, path, read } = await subscribed()
  const { token } = await buildCustomer(store)
  const before = await read()

  for (const [line, body] of [
    [`GET ${path}`],
    [`PATCH ${path}`, { quantity: 2 }],
    ...['pause', 'resume', 'cancel', 'skip'].map((step) => [`POST ${path}/${step}`] as const),
  ] as const)
    assert.equal((await request(line, { store, token, ...(body ? { body } : {}) })).status, 404, line)

  assert.deepEqual((await request('GET /subscriptions', { store, token })).data, [])
  assert.deepEqual(await read(), before)
})

test('staff find no subscription of another store, and change nothing there', async () => {
  const { id, read } = await subscribed()
  const other = await buildStore()
  const { token } = await buildStaff(other, { role: 'administrator' })
  const before = await read()

  for (const [line, body] of [
    [`GET /admin/subscriptions/${id}`],
    [`PATCH /admin/subscriptions/${id}`, { quantity: 2 }],
    [`POST /admin/subscriptions/${id}/cancel`, {}],
  ] as const)
    assert.equal((await request(line, { token, ...(body ? { body } : {}) })).status, 404, line)

  assert.deepEqual((await request('GET /admin/subscriptions', { token })).data, [])
  assert.deepEqual(await read(), before)
})

testBooks()
