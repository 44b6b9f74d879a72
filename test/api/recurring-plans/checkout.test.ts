import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { toCheckoutRequest } from '#api/checkout/read-request.ts'
import { checkOut as checkOutCart } from '#shared/checkout/check-out.ts'
import type { RecurringPurchase } from '#shared/checkout/recurring-purchase.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  recordTrialUses,
  releaseTrialUses,
  restoreTrialUses,
  TrialUse,
} from '#shared/recurring-plans/trial-use.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { NewStore } from '#shared/stores/lifecycle/create-store.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { buildShop, checkOut } from '#test/support/builders/place-orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

/** A shop that sells its variant at 10.00 also every month for 8.00, after two weeks for 1.00, and its customer. */
async function scene(units = 100, given: Partial<NewStore> = {}) {
  const shop = await buildShop(units, given)
  const { store, variantId } = shop
  const { token: staffToken } = await buildStaff(store, { role: 'owner' })
  const staff = (line: string, asked: RequestOptions = {}) => request(line, { token: staffToken, ...asked })
  const productId = (await staff('GET /admin/products')).data[0].id as string
  const plan = await buildPlan(store, {
    productIds: [productId],
    cycle: 12,
    trial: { priceMinor: 100n, duration: 2, durationUnit: 'week', cycle: 1, maxQuantity: 4 },
  })
  const customer = await buildCustomer(store)
  const { token } = customer
  const add = (body: object = {}) =>
    request('POST /cart/items', {
      store,
      token,
      body: { variant_id: variantId, quantity: 1, recurring_plan_id: plan.id, ...body },
    })
  const buy = (body: object = {}) => checkOut(shop, { token, body: { payment_method: 'sandbox', ...body } })
  const items = async () => (await request('GET /cart', { store, token })).data.items
  return { shop, store, variantId, productId, plan, customer, staff, add, buy, items }
}

test('an order charges the first price of the plan; its items have the fields of all orders', async () => {
  const { variantId, add, buy, items } = await scene()
  await add({ quantity: 2 })
  await add({ quantity: 3, recurring_plan_id: null })

  const { status, data } = await buy()

  assert.equal(status, 201)
  assert.deepEqual(
    data.order.items.map((item: Record<string, unknown>) => ({
      variant_id: item.variant_id,
      quantity: item.quantity,
      unit_price: item.unit_price,
    })),
    [
      { variant_id: variantId, quantity: 2, unit_price: 1 },
      { variant_id: variantId, quantity: 3, unit_price: 10 },
    ],
  )
  assert.equal('recurring' in data.order.items[0], false)
  assert.equal(data.order.subtotal, 32)
  assert.deepEqual(await items(), [])
})

test('checkout starts subscriptions of its purchases by plans with the terms as entered', async () => {
  const { shop, store, variantId, productId, plan, customer, add, staff } = await scene()
  await staff('PATCH /admin/settings', { body: { country: 'DE', prices_include_tax: true } })
  await add({ recurring_plan_id: null })
  await add({ quantity: 2 })
  const visit = await findStoreById(store.id)
  assert.ok(visit)

  let recurring: readonly RecurringPurchase[] = []
  const { view } = await inStore(store.id, (tx) =>
    checkOutCart(
      tx,
      {
        store: visit.store,
        language: 'en',
        holder: { customerId: customer.id, cartToken: null },
        request: toCheckoutRequest(buildCheckoutRequest(shop.shipping.id, 'sandbox'), 'EUR'),
      },
      async (_, __, purchases) => {
        recurring = purchases
      },
    ),
  )

  assert.deepEqual(recurring, [
    {
      planId: plan.id,
      productId,
      variantId,
      nameI18n: { en: view.items[1]?.name },
      sku: view.items[1]?.sku,
      quantity: 2,
      unitPriceMinor: 800n,
      isPlanPrice: true,
      terms: {
        nameI18n: { en: plan.name },
        duration: 1,
        durationUnit: 'month',
        cycle: 12,
        trial: { priceMinor: 100, duration: 2, durationUnit: 'week', cycle: 1, maxQuantity: 4 },
      },
    },
  ])
})

test('an order starts a subscription for each line by a plan; the next charges have the price of the plan', async () => {
  const { store, productId, variantId, customer, add, buy } = await scene()
  const yearly = await buildPlan(store, { priceMinor: null, durationUnit: 'year', productIds: [productId] })
  await add({ quantity: 2 })
  await add({ recurring_plan_id: yearly.id })
  await add({ recurring_plan_id: null })

  const { data } = await buy()

  const subscriptions = await request('GET /subscriptions?sort=created_at', { store, token: customer.token })
  assert.equal(subscriptions.meta.total, 2)
  const [monthly, annual] = ['month', 'year'].map((unit) =>
    subscriptions.data.find((one: { duration_unit: string }) => one.duration_unit === unit),
  )
  assert.partialDeepStrictEqual(monthly, {
    status: 'active',
    variant_id: variantId,
    quantity: 2,
    unit_price: 8,
  })
  assert.partialDeepStrictEqual(annual, { status: 'active', quantity: 1, unit_price: 10 })
  assert.ok([monthly.id, annual.id].includes(data.order.subscription_id))
  assert.equal(data.order.charge_no, 1)
})

test('an order without a plan starts none', async () => {
  const { store, customer, add, buy } = await scene()
  await add({ recurring_plan_id: null })

  const { data } = await buy()

  assert.partialDeepStrictEqual(data.order, { subscription_id: null, charge_no: null })
  const { meta } = await request('GET /subscriptions', { store, token: customer.token })
  assert.equal(meta.total, 0)
})

test('checkout of a guest cart with a plan requires a sign-in and keeps the cart', async () => {
  const { shop, store, variantId, plan, customer } = await scene()
  const body = { variant_id: variantId, quantity: 1, recurring_plan_id: plan.id }
  const { data } = await request('POST /cart/items', { store, body })

  const refused = await checkOut(shop, { cart: data.token, body: { payment_method: 'sandbox' } })
  const { data: kept } = await request('GET /cart', { store, cart: data.token })
  await request('POST /auth/login', {
    store,
    cart: data.token,
    body: { email: customer.email, password: customer.password },
  })
  const signedIn = await request('POST /checkout', {
    store,
    key: randomUUID(),
    token: customer.token,
    cart: data.token,
    body: buildCheckoutRequest(shop.shipping.id, 'sandbox'),
  })

  assert.partialDeepStrictEqual(refused, { status: 401, error_code: 'checkout.login_required' })
  assert.match(refused.error ?? '', /Sign in or register/)
  assert.equal(kept.items.length, 1)
  assert.equal(signedIn.status, 201)
  assert.equal(signedIn.data.order.items[0].unit_price, 1)
})

for (const method of ['bank_transfer', 'cash_on_delivery', 'voucher'])
  test(`${method} is refused for a line by a plan, and accepted without one`, async () => {
    const { store, customer, add, buy, items } = await scene()
    const { code } = await buildVoucher(store, { amountMinor: 10_000n })
    const body = { payment_method: method, ...(method === 'voucher' ? { voucher_code: code } : {}) }
    const { data } = await add()

    const refused = await buy(body)

    assert.partialDeepStrictEqual(refused, {
      status: 422,
      error_code: 'checkout.payment_method_not_recurring',
    })
    assert.equal((await items()).length, 1)
    await request(`DELETE /cart/items/${data.items[0].id}`, { store, token: customer.token })
    await add({ recurring_plan_id: null })
    assert.equal((await buy(body)).status, 201)
  })

test('a voucher pays a part of the first charge, not all of it', async () => {
  const { store, add, buy } = await scene()
  const whole = await buildVoucher(store, { amountMinor: 600n })
  const part = await buildVoucher(store, { amountMinor: 599n })
  await add()

  const refused = await buy({ voucher_code: whole.code })
  const paid = await buy({ voucher_code: part.code })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'checkout.payment_method_not_recurring' })
  assert.equal(paid.status, 201)
})

test('a disabled payment method is refused as disabled', async () => {
  const { staff, add, buy } = await scene()
  await staff('PATCH /admin/payment-methods/sandbox', { body: { is_active: false } })
  await add()

  assert.equal((await buy()).error_code, 'checkout.payment_method_disabled')
})

test('GET /settings/payment-methods says which methods take recurring plans', async () => {
  const { store } = await scene()

  const { data } = await request('GET /settings/payment-methods', { store })

  assert.deepEqual(
    data
      .filter((method: { takes_recurring: boolean }) => method.takes_recurring)
      .map((method: { code: string }) => method.code)
      .sort(),
    ['card', 'sandbox'],
  )
})

const ENDS: Record<string, (of: Awaited<ReturnType<typeof scene>>) => PromiseLike<unknown>> = {
  deactivated: ({ staff, plan }) =>
    staff(`PATCH /admin/recurring-plans/${plan.id}`, { body: { is_active: false } }),
  deleted: ({ staff, plan }) => staff(`DELETE /admin/recurring-plans/${plan.id}`),
  'without the product': ({ staff, plan }) =>
    staff(`PATCH /admin/recurring-plans/${plan.id}`, { body: { product_ids: [] } }),
}

for (const [end, make] of Object.entries(ENDS))
  test(`checkout refuses a line whose plan is ${end}, and names both`, async () => {
    const of = await scene()
    await of.add()
    await make(of)

    const { status, error_code, error } = await of.buy()

    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
    assert.match(error ?? '', new RegExp(`no longer sold by the plan "${of.plan.name}": remove it`))
    assert.doesNotMatch(error ?? '', /order less/)
    assert.equal((await of.items()).length, 1)
  })

test('both lines of a variant together cannot exceed its stock', async () => {
  const { add, buy, store, customer } = await scene(3)
  await add({ quantity: 2 })
  const { data } = await add({ quantity: 2, recurring_plan_id: null })

  const refused = await buy()
  const line = `PATCH /cart/items/${data.items[1].id}`
  await request(line, { store, token: customer.token, body: { quantity: 1 } })
  const sold = await buy()

  assert.equal(refused.error_code, 'checkout.insufficient_stock')
  assert.equal(sold.status, 201)
})

test('a shipment of both lines of a variant needs the units of both', async () => {
  const { variantId, staff, add, buy } = await scene()
  await add()
  await add({ recurring_plan_id: null })
  const { data } = await buy()
  await staff(`POST /admin/variants/${variantId}/stock`, { body: { stock_on_hand: 1 } })
  const [first, second] = data.order.items.map(({ id }: { id: string }) => ({
    order_item_id: id,
    quantity: 1,
  }))
  const ship = (items: object[]) =>
    staff(`POST /admin/orders/${data.order.id}/shipments`, { key: randomUUID(), body: { items } })

  const both = await ship([first, second])
  const one = await ship([first])

  assert.partialDeepStrictEqual(both, { status: 409, error_code: 'order.stock_short' })
  assert.equal(one.status, 201)
})

test('a coupon is redeemed on the first charge of a plan', async () => {
  const { store, add, buy } = await scene()
  const { code } = await buildCoupon(store, { value: 50 })
  await add({ quantity: 4 })

  const { data } = await buy({ coupon_code: code, expected_total: 7 })

  assert.partialDeepStrictEqual(data.order, { subtotal: 4, discount_total: 2, shipping_total: 5, total: 7 })
})

test("goods on trial count towards the store's smallest order with the price that follows", async () => {
  const { add, buy } = await scene(100, { minOrderTotalMinor: 1_600n })
  await add()

  const one = await buy()
  await add({ quantity: 1 })
  const two = await buy()

  assert.partialDeepStrictEqual(one, { status: 422, error_code: 'checkout.min_order_not_met' })
  assert.partialDeepStrictEqual(two, { status: 201, data: { order: { subtotal: 2 } } })
})

test('a second order by a plan has no trial, also after its subscription changed to another plan', async () => {
  const { store, productId, customer, add, buy, items } = await scene()
  const yearly = await buildPlan(store, { durationUnit: 'year', productIds: [productId] })
  await add()
  const first = await buy()
  await request(`PATCH /subscriptions/${first.data.order.subscription_id}`, {
    store,
    token: customer.token,
    body: { recurring_plan_id: yearly.id },
  })

  await add()
  const [line] = await items()
  const second = await buy()

  assert.partialDeepStrictEqual(line, { unit_price: 8, recurring: { trial: null, price: 8 } })
  assert.partialDeepStrictEqual(second, { status: 201, data: { order: { subtotal: 8 } } })
})

test('a subscription that began with a quantity discount has the single price for fewer units', async () => {
  const { store, productId, customer, staff, add, buy } = await scene()
  const plan = await buildPlan(store, { productIds: [productId], priceMinor: null })
  const setRules = (items: object[]) =>
    staff(`PUT /admin/products/${productId}/price-rules`, { body: { items } })
  await setRules([{ kind: 'quantity', price: 2, min_quantity: 10 }])
  await add({ quantity: 12, recurring_plan_id: plan.id })
  const { data } = await buy()
  await setRules([])
  const priceOf = async (quantity: number) => {
    const line = `PATCH /subscriptions/${data.order.subscription_id}`
    return (await request(line, { store, token: customer.token, body: { quantity } })).data.unit_price
  }

  const prices = [await priceOf(10), await priceOf(1)]

  assert.equal(data.order.subtotal, 24)
  assert.deepEqual(prices, [2, 10])
})

test('lines by one plan in one order all have its trial', async () => {
  const { store, productId, add, buy } = await scene()
  const other = await buildProduct(store, { variants: [{ stockOnHand: 5 }] })
  const trial = { priceMinor: 100n, duration: 2, durationUnit: 'week', cycle: 1, maxQuantity: 2 } as const
  const both = await buildPlan(store, { productIds: [productId, other.id], trial })
  await add({ recurring_plan_id: both.id })
  await add({ variant_id: other.variants[0]?.id, recurring_plan_id: both.id })

  const { data } = await buy()

  assert.equal(data.order.subtotal, 2)
})

test('checkout rejects more units than the trial has now; after the trial it takes them', async () => {
  const { store, customer, plan, staff, add, buy, items } = await scene()
  const trial = { price: 1, duration: 2, duration_unit: 'week', cycle: 1, max_quantity: 1 }
  await add({ quantity: 2 })
  await staff(`PATCH /admin/recurring-plans/${plan.id}`, { body: { trial } })
  const [{ id }] = await items()

  const two = await buy()
  await request(`PATCH /cart/items/${id}`, { store, token: customer.token, body: { quantity: 1 } })
  const one = await buy()
  await add({ quantity: 2 })
  const regular = await buy()

  assert.partialDeepStrictEqual(two, { status: 422, error_code: 'recurring_plan.too_many_trial_units' })
  assert.partialDeepStrictEqual(one, { status: 201, data: { order: { subtotal: 1 } } })
  assert.partialDeepStrictEqual(regular, { status: 201, data: { order: { subtotal: 16 } } })
})

test('a canceled order keeps the trial used while its subscription goes on', async () => {
  const { shop, store, productId, customer, staff, add, buy, items } = await scene()
  const line = `PATCH /admin/shipping-methods/${shop.shipping.id}`
  assert.equal((await staff(line, { body: { price: 0 } })).status, 200)
  const free = await buildPlan(store, {
    productIds: [productId],
    trial: { priceMinor: 0n, duration: 1, durationUnit: 'month', cycle: 3 },
  })
  await add({ recurring_plan_id: free.id })
  const { data } = await buy()

  const canceled = await request(`POST /orders/${data.order.id}/cancel`, { store, token: customer.token })
  await add({ recurring_plan_id: free.id })

  assert.equal(canceled.status, 200, canceled.error ?? '')
  const { data: subscriptions } = await request('GET /subscriptions', { store, token: customer.token })
  assert.equal(subscriptions[0].status, 'active')
  assert.equal((await items())[0].recurring.trial, null)
})

test('a checkout that waits for another order with the trial is refused, and keeps the cart', async () => {
  const { store, plan, customer, add, buy, items } = await scene()
  await add({ recurring_plan_id: null })
  const { data } = await buy()
  await add()
  const order = { id: data.order.id, customerId: customer.id }
  const other = await pending(
    (work) => inStore(store.id, work),
    (tx) => recordTrialUses(tx, order, [plan.id]),
  )
  const buying = buy()
  await untilOneWaits()
  other.commit()

  const refused = await buying
  await other.done

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'recurring_plan.trial_used' })
  assert.equal((await items()).length, 1)
})

test('one of two late orders that take the trial of a plan again at the same time is refused', async () => {
  const { store, plan, customer, add, buy } = await scene()
  await add()
  const { data } = await buy()
  await inStore(store.id, (tx) => releaseTrialUses(tx, data.order.id))
  await add()
  const other = await buy()
  await inStore(store.id, (tx) => releaseTrialUses(tx, other.data.order.id))

  const outcomes = await Promise.allSettled(
    [data.order, other.data.order].map(({ id }) => inStore(store.id, (tx) => restoreTrialUses(tx, id))),
  )

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  assert.equal(refused?.reason.code, 'recurring_plan.trial_used')
  const [used] = await inStore(store.id, (tx) => TrialUse.in(tx).whereNull('released_at'))
  assert.partialDeepStrictEqual(used, { recurringPlanId: plan.id, customerId: customer.id })
})

testBooks()
