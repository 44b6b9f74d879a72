import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { moveClock } from '#test/support/clock.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

const TWO_WEEKS = { priceMinor: 100n, duration: 2, durationUnit: 'week', cycle: 1 } as const

/** Coffee for 10.00 with 10 units on hand, sold once or by a plan: every month for 8.00. */
async function scene({ plan: given = {}, ...settings }: { plan?: object; [name: string]: unknown } = {}) {
  const store = await buildStore(settings)
  const { token } = await buildStaff(store, { role: 'owner' })
  const coffee = await buildProduct(store, { slug: 'coffee', variants: [{ stockOnHand: 10 }] })
  const plan = await buildPlan(store, { productIds: [coffee.id], ...given })
  const staff = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  let cart = ''
  const add = async (body: object = {}) => {
    const item = { product_id: coffee.id, quantity: 1, recurring_plan_id: plan.id, ...body }
    const added = await request('POST /cart/items', { store, body: item, ...(cart ? { cart } : {}) })
    cart ||= added.data?.token ?? ''
    return added
  }
  const read = async (query = '') => (await request(`GET /cart${query}`, { store, cart })).data
  return { store, staff, coffee, variantId: coffee.variants[0]?.id ?? '', plan, add, read, cart: () => cart }
}

test('a line by a plan has the price of the plan and shows its next charge', async () => {
  moveClock(0)
  const { store, staff, plan, add } = await scene({ plan: { cycle: 12 } })
  await staff('PATCH /admin/settings', { body: { time_zone: 'Europe/Berlin' } })

  const { status, data } = await add({ quantity: 2 })

  assert.equal(status, 201)
  const [{ recurring, ...line }] = data.items
  assert.partialDeepStrictEqual(line, { quantity: 2, unit_price: 8, line_total: 16, available: true })
  const { next_charge_at, ...rest } = recurring
  assert.deepEqual(rest, {
    plan_id: plan.id,
    name: plan.name,
    duration: 1,
    duration_unit: 'month',
    cycle: 12,
    trial: null,
    price: 8,
    next_unit_price: 8,
    next_line_total: 16,
  })
  const days = (Date.parse(next_charge_at) - Date.now()) / 86_400_000
  assert.ok(days > 27 && days < 32, next_charge_at)
  assert.equal(store.id.length, 36)
})

test('a trial is paid first; the next charge is the regular one, or the next of the trial', async () => {
  const once = await scene({ plan: { trial: TWO_WEEKS } })
  const thrice = await scene({ plan: { trial: { ...TWO_WEEKS, cycle: 3 } } })

  const [first, second] = [(await once.add()).data.items[0], (await thrice.add()).data.items[0]]

  for (const { unit_price, recurring } of [first, second]) {
    assert.equal(unit_price, 1)
    assert.partialDeepStrictEqual(recurring, {
      price: 8,
      trial: { price: 1, duration: 2, duration_unit: 'week' },
    })
    const days = (Date.parse(recurring.next_charge_at) - Date.now()) / 86_400_000
    assert.ok(days > 13.9 && days < 14.1, recurring.next_charge_at)
  }
  assert.equal(first.recurring.next_unit_price, 8)
  assert.equal(second.recurring.next_unit_price, 1)
})

test('a plan with one charge has no next one', async () => {
  const { add } = await scene({ plan: { cycle: 1 } })

  const [{ unit_price, recurring }] = (await add()).data.items

  assert.equal(unit_price, 8)
  assert.partialDeepStrictEqual(recurring, {
    next_unit_price: null,
    next_line_total: null,
    next_charge_at: null,
  })
})

test('a plan without a price has the current price of the variant, with its rules', async () => {
  const { staff, coffee, add } = await scene({
    plan: { priceMinor: null, trial: { ...TWO_WEEKS, priceMinor: 0n, maxQuantity: 3 } },
  })
  const items = [{ kind: 'quantity', price: 7, min_quantity: 3 }]
  await staff(`PUT /admin/products/${coffee.id}/price-rules`, { body: { items } })

  const one = (await add({ quantity: 1 })).data.items[0]
  const three = (await add({ quantity: 2 })).data.items[0]

  assert.partialDeepStrictEqual(one, { unit_price: 0, recurring: { price: 10, next_line_total: 10 } })
  assert.partialDeepStrictEqual(three, {
    quantity: 3,
    unit_price: 0,
    recurring: { price: 7, next_line_total: 21 },
  })
})

test('a cart takes the units of the trial only, in all lines of the plan together', async () => {
  const { store, coffee, add, read, cart } = await scene()
  const second = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const plan = await buildPlan(store, {
    productIds: [coffee.id, second.id],
    trial: { ...TWO_WEEKS, maxQuantity: 3 },
  })
  await add({ recurring_plan_id: plan.id, quantity: 2 })

  const one = await add({ recurring_plan_id: plan.id, product_id: second.id })
  const two = await add({ recurring_plan_id: plan.id, product_id: second.id })
  const once = await add({ recurring_plan_id: null, quantity: 10 })
  const { items } = await read()
  const line = `PATCH /cart/items/${items[0].id}`
  const more = await request(line, { store, cart: cart(), body: { quantity: 3 } })

  assert.deepEqual({ one: one.status, once: once.status }, { one: 201, once: 201 })
  for (const { status, error_code, error } of [two, more]) {
    assert.deepEqual(
      { status, error_code },
      { status: 422, error_code: 'recurring_plan.too_many_trial_units' },
    )
    assert.match(error ?? '', /at most 3 units/)
  }
  assert.deepEqual(
    items.map(({ quantity }: { quantity: number }) => quantity),
    [2, 1, 10],
  )
})

test('one variant is a line bought once and a line for each plan', async () => {
  const { store, coffee, variantId, add, read } = await scene()
  const yearly = await buildPlan(store, { priceMinor: 700n, durationUnit: 'year', productIds: [coffee.id] })

  await add({ recurring_plan_id: null })
  await add()
  await add({ recurring_plan_id: yearly.id })
  await add({ recurring_plan_id: undefined, product_id: undefined, variant_id: variantId, quantity: 2 })
  await add({ quantity: 4 })

  const { items, subtotal } = await read()
  assert.deepEqual(
    items.map((item: { quantity: number; unit_price: number; recurring: object | null }) => ({
      quantity: item.quantity,
      unit_price: item.unit_price,
      isRecurring: item.recurring !== null,
    })),
    [
      { quantity: 3, unit_price: 10, isRecurring: false },
      { quantity: 5, unit_price: 8, isRecurring: true },
      { quantity: 1, unit_price: 7, isRecurring: true },
    ],
  )
  assert.equal(subtotal, 77)
})

test('all lines of a variant share its stock', async () => {
  const { add, read, store, cart } = await scene()
  await add({ recurring_plan_id: null, quantity: 6 })
  const { data } = await add({ quantity: 5 })
  const available = (items: { available: boolean }[]) => items.map((item) => item.available)
  assert.deepEqual(available(data.items), [false, false])

  await request(`PATCH /cart/items/${data.items[1].id}`, { store, cart: cart(), body: { quantity: 4 } })

  assert.deepEqual(available((await read()).items), [true, true])
})

test('a plan that does not sell the product returns 422 and adds nothing', async () => {
  const { store, staff, coffee, plan, add, read } = await scene()
  const foreign = await scene()
  const ofOthers = await buildPlan(store, { productIds: [(await buildProduct(store)).id] })
  const inactive = await buildPlan(store, { productIds: [coffee.id], isActive: false })
  const deleted = await buildPlan(store, { productIds: [coffee.id] })
  await staff(`DELETE /admin/recurring-plans/${deleted.id}`)
  await add({ recurring_plan_id: null })

  for (const { id } of [foreign.plan, ofOthers, inactive, deleted, { id: newId() }]) {
    const { status, detail } = await add({ recurring_plan_id: id })
    assert.equal(status, 422)
    assert.deepEqual(detail?.[0]?.loc, ['body', 'recurring_plan_id'])
  }
  assert.equal((await add({ product_id: undefined, variant_id: newId() })).status, 404)
  const voucher = {
    amount: 10,
    to_name: 'A',
    to_email: 'a@b.example',
    from_name: 'B',
    from_email: 'b@b.example',
  }
  const gift = await add({ product_id: undefined, quantity: undefined, voucher, recurring_plan_id: plan.id })
  assert.equal(gift.status, 422)
  assert.deepEqual(gift.detail?.[0]?.loc, ['body', 'recurring_plan_id'])
  assert.equal((await read()).items.length, 1)
})

const ENDS: Record<string, (of: Awaited<ReturnType<typeof scene>>) => Promise<{ status: number }>> = {
  'is deactivated': ({ staff, plan }) =>
    staff(`PATCH /admin/recurring-plans/${plan.id}`, { body: { is_active: false } }),
  'is deleted': ({ staff, plan }) => staff(`DELETE /admin/recurring-plans/${plan.id}`),
  'no longer has the product': ({ staff, plan }) =>
    staff(`PATCH /admin/recurring-plans/${plan.id}`, { body: { product_ids: [] } }),
}

for (const [end, make] of Object.entries(ENDS))
  test(`a line whose plan ${end} is not available and costs nothing; others stay`, async () => {
    const of = await scene()
    await of.add()
    await of.add({ recurring_plan_id: null })

    assert.equal((await make(of)).status, 200)

    const { items, subtotal } = await of.read()
    assert.partialDeepStrictEqual(items[0], {
      available: false,
      unit_price: 0,
      recurring: { plan_id: of.plan.id, name: of.plan.name },
    })
    assert.partialDeepStrictEqual(items[1], { available: true, unit_price: 10, recurring: null })
    assert.equal(subtotal, 10)
    const { data } = await request(`DELETE /cart/items/${items[0].id}`, { store: of.store, cart: of.cart() })
    assert.equal(data.items.length, 1)
  })

test('a plan deleted while it is added leaves no line that is available', async () => {
  for (let round = 0; round < 5; round++) {
    const { staff, plan, add, read } = await scene()
    await add({ recurring_plan_id: null })

    const [added, removed] = await Promise.all([add(), staff(`DELETE /admin/recurring-plans/${plan.id}`)])

    assert.equal(removed.status, 200)
    assert.ok([201, 422].includes(added.status), `${added.status}`)
    const recurring = (await read()).items.filter((item: { recurring: object | null }) => item.recurring)
    assert.deepEqual(
      recurring.map((item: { available: boolean }) => item.available),
      added.status === 201 ? [false] : [],
    )
  }
})

test('signing in merges lines of the same plan and keeps the others apart', async () => {
  const { store, variantId, plan, add, read: _, cart } = await scene()
  await add({ quantity: 2 })
  await add({ quantity: 2, recurring_plan_id: null })
  const customer = await buildCustomer(store)
  const own = (quantity: number, recurring_plan_id: string | null) => {
    const body = { variant_id: variantId, quantity, recurring_plan_id }
    return request('POST /cart/items', { store, token: customer.token, body })
  }
  await own(1, plan.id)

  const { status } = await request('POST /auth/login', {
    store,
    cart: cart(),
    body: { email: customer.email, password: customer.password },
  })

  assert.equal(status, 200)
  const { data } = await request('GET /cart', { store, token: customer.token })
  assert.deepEqual(
    data.items.map((item: { quantity: number; recurring: object | null }) => ({
      quantity: item.quantity,
      isRecurring: !!item.recurring,
    })),
    [
      { quantity: 3, isRecurring: true },
      { quantity: 2, isRecurring: false },
    ],
  )
})

test('a coupon discounts the trial price, and no later charge', async () => {
  const { store, add, read, cart } = await scene({
    plan: { trial: { ...TWO_WEEKS, priceMinor: 400n, maxQuantity: 2 } },
  })
  const coupon = await buildCoupon(store, { value: 25 })
  await add({ quantity: 2 })

  await request('POST /cart/coupon', { store, cart: cart(), body: { code: coupon.code } })

  const { items, total } = await read()
  assert.partialDeepStrictEqual(items[0], {
    line_total: 8,
    discount_total: 2,
    total: 6,
    recurring: { next_line_total: 16 },
  })
  assert.equal(total, 6)
})

test('net plan prices are taxed at the place of the cart', async () => {
  const { store, add, read } = await scene()
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { percent: 20, taxClassId, members: [{ country: 'AT' }] })
  await add()

  const { items, total } = await read('?country=AT')

  assert.partialDeepStrictEqual(items[0], { line_total: 8, tax_total: 1.6, total: 9.6 })
  assert.equal(total, 9.6)
})

test('gross plan prices change with the place as other prices do', async () => {
  const plan = { priceMinor: 1_190n, trial: { ...TWO_WEEKS, priceMinor: 119n, maxQuantity: 2 } }
  const { store, staff, add, read } = await scene({ country: 'DE', pricesIncludeTax: true, plan })
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { percent: 19, taxClassId, members: [{ country: 'DE' }] })
  await buildTaxRate(store, { percent: 20, taxClassId, members: [{ country: 'AT' }] })
  await staff('PATCH /admin/settings', { body: { cross_border_prices: 'keep_net' } })
  await add({ quantity: 2 })
  const lineIn = async (country: string) => {
    const [{ unit_price, tax_total, recurring }] = (await read(`?country=${country}`)).items
    const { trial, price, next_line_total } = recurring
    return { unit_price, tax_total, trial: trial.price, price, next_line_total }
  }

  const german = { unit_price: 1.19, tax_total: 0.38, trial: 1.19, price: 11.9, next_line_total: 23.8 }
  assert.deepEqual(await lineIn('DE'), german)
  const austrian = { unit_price: 1.2, tax_total: 0.4, trial: 1.2, price: 12, next_line_total: 24 }
  assert.deepEqual(await lineIn('AT'), austrian)
})

test('explain=true says that the price of the plan applies instead of a lower one', async () => {
  const { staff, coffee, add, read } = await scene()
  const items = [{ kind: 'special', price: 5 }]
  await staff(`PUT /admin/products/${coffee.id}/price-rules`, { body: { items } })
  await add()

  const [{ unit_price, explanation }] = (await read('?explain=true')).items

  assert.equal(unit_price, 8)
  assert.deepEqual(
    explanation.map(({ kind, price, reason }: Record<string, unknown>) => ({ kind, price, reason })),
    [
      { kind: 'base', price: 10, reason: 'recurring_plan' },
      { kind: 'special', price: 5, reason: 'recurring_plan' },
      { kind: 'recurring_plan', price: 8, reason: null },
    ],
  )
})
