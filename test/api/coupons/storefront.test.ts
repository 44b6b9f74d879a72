import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildCategory, buildProduct } from '#test/support/build-catalog.ts'
import { buildCoupon } from '#test/support/build-coupons.ts'
import { buildShippingMethod } from '#test/support/build-methods.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { buildShop, checkOut, fillCart } from '#test/support/place-orders.ts'
import { rowsOf } from '#test/support/rows-of.ts'
import { testBooks } from '#test/support/test-books.ts'

const OFFLINE = { payment_method: 'cash_on_delivery' }

/** A shop with one variant at 10.00, and a guest's cart of two of it. */
async function scene() {
  const shop = await buildShop()
  const { store } = shop
  const cart = await fillCart(store, shop.variantId, 2)
  const put = (code: string, as: object = { cart }) =>
    request('POST /cart/coupon', { store, body: { code }, ...as })
  const read = (as: object = { cart }) => request('GET /cart', { store, ...as })
  const buy = (body: object = {}, as: { cart?: string; token?: string } = { cart }) =>
    checkOut(shop, { ...as, body: { ...OFFLINE, ...body } })
  return { ...shop, shop, cart, put, read, buy }
}

/** The coupon as staff see it. */
async function couponOf(store: { id: string }, id: string) {
  const { token } = await buildStaff(store, { role: 'marketing' })
  const { data } = await request(`GET /admin/coupons/${id}`, { token })
  const uses = await request(`GET /admin/coupons/${id}/uses`, { token })
  return { ...data, uses: uses.data, total: uses.meta.total }
}

test('POST /cart/coupon applies a code in any case, and the cart shows the discount', async () => {
  const { store, put, read } = await scene()
  await buildCoupon(store, { code: 'Welcome10', name: 'Ten off' })

  const answered = await put('  WELCOME10 ')

  assert.equal(answered.status, 200)
  assert.deepEqual(answered.data.coupon, {
    code: 'Welcome10',
    name: 'Ten off',
    type: 'percent',
    value: 10,
    free_shipping: false,
    applied: true,
    reason: '',
  })
  const { subtotal, discount_total, total } = answered.data
  assert.deepEqual({ subtotal, discount_total, total }, { subtotal: 20, discount_total: 2, total: 18 })
  assert.deepEqual((await read()).data, answered.data)
})

test('POST /cart/coupon replaces the coupon; a rejected one keeps it', async () => {
  const { store, put, read } = await scene()
  const ten = await buildCoupon(store)
  const five = await buildCoupon(store, { type: 'fixed', value: 5 })
  const dear = await buildCoupon(store, { minTotalMinor: 2_001n })
  await put(ten.code)

  assert.equal((await put(five.code)).data.discount_total, 5)
  assert.equal((await put(dear.code)).error_code, 'coupon.min_total_not_met')

  assert.equal((await read()).data.coupon.code, five.code)
})

test('DELETE /cart/coupon removes the coupon, and succeeds without one', async () => {
  const { store, cart, put } = await scene()
  await put((await buildCoupon(store)).code)

  for (const _ of ['once', 'twice']) {
    const { status, data } = await request('DELETE /cart/coupon', { store, cart })
    assert.deepEqual(
      { status, coupon: data.coupon, discount_total: data.discount_total, total: data.total },
      { status: 200, coupon: null, discount_total: 0, total: 20 },
    )
  }
  const none = await request('DELETE /cart/coupon', { store })
  assert.deepEqual(
    { status: none.status, id: none.data.id, coupon: none.data.coupon },
    { status: 200, id: null, coupon: null },
  )
})

test('POST /cart/coupon returns the error code of each reason, and a cart with the coupon shows the same code', async () => {
  const { store, cart, variantId, put, read, buy } = await scene()
  const other = await buildProduct(store)
  const used = await buildCoupon(store, { usesTotal: 1 })
  await buy({ coupon_code: used.code }, { cart: await fillCart(store, variantId) })
  const at = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000)
  const cases: [code: string, status: number, errorCode: string][] = [
    ['NOBODY', 404, 'coupon.not_found'],
    [(await buildCoupon(store, { isActive: false })).code, 404, 'coupon.not_found'],
    [(await buildCoupon(await buildStore())).code, 404, 'coupon.not_found'],
    [(await buildCoupon(store, { endsAt: at(-1) })).code, 422, 'coupon.expired'],
    [(await buildCoupon(store, { startsAt: at(1) })).code, 422, 'coupon.expired'],
    [(await buildCoupon(store, { loggedInOnly: true })).code, 401, 'coupon.login_required'],
    [used.code, 409, 'coupon.usage_exceeded'],
    [(await buildCoupon(store, { minTotalMinor: 2_001n })).code, 422, 'coupon.min_total_not_met'],
    [(await buildCoupon(store, { productIds: [other.id] })).code, 422, 'coupon.not_applicable'],
  ]

  for (const [code, status, errorCode] of cases) {
    const refused = await put(code)
    assert.partialDeepStrictEqual(refused, { status, error_code: errorCode }, code)
    const ordered = await buy({ coupon_code: code })
    assert.partialDeepStrictEqual(ordered, { status, error_code: errorCode }, code)
  }
  for (const [code, status, errorCode] of cases.filter(([, , is]) => is !== 'coupon.not_found')) {
    await inStore(store.id, (tx) =>
      tx.knex('carts').where({ store_id: store.id }).update({ coupon_code: code.toLowerCase() }),
    )
    const { data } = await read()
    assert.partialDeepStrictEqual(data.coupon, { applied: false, reason: errorCode })
    assert.partialDeepStrictEqual(data, { discount_total: 0, total: 20 })
    const ordered = await buy()
    assert.partialDeepStrictEqual(ordered, { status, error_code: errorCode }, code)
    assert.equal((await read()).data.items.length, 1, 'the cart stays')
  }
  assert.equal((await request('DELETE /cart/coupon', { store, cart })).status, 200)
  assert.equal((await buy()).status, 201, 'without it the order goes through')
})

test('POST /cart/coupon without a cart returns an error', async () => {
  const { store, put } = await scene()
  const { code } = await buildCoupon(store)

  for (const as of [{}, { cart: 'made-up' }, { token: (await buildCustomer(store)).token }]) {
    assert.equal((await put(code, as)).error_code, 'coupon.not_applicable')
    assert.equal((await put('NOBODY', as)).error_code, 'coupon.not_found')
  }
})

test('POST /cart/coupon with anything but a code returns 422', async () => {
  const { store, cart } = await scene()

  for (const body of [
    {},
    { code: '' },
    { code: ' ' },
    { code: 'X'.repeat(65) },
    { code: 'X', value: 99 },
    { code: 7 },
  ])
    assert.equal((await request('POST /cart/coupon', { store, cart, body })).error_code, 'validation.failed')
})

test('the start of a coupon is inclusive, its end exclusive', async () => {
  const { store, put, read } = await scene()
  const startsAt = new Date(Date.now() + 3_600_000)
  const endsAt = new Date(startsAt.getTime() + 3_600_000)
  const { code } = await buildCoupon(store, { startsAt, endsAt })
  const at = (moment: Date, ms: number) => freezeClock(new Date(moment.getTime() + ms))

  at(startsAt, -1)
  const early = await put(code)
  assert.equal(early.error_code, 'coupon.expired')
  assert.equal(early.error?.includes(startsAt.toISOString()), true)
  at(startsAt, 0)
  assert.equal((await put(code)).status, 200)
  at(endsAt, -1)
  assert.equal((await read()).data.coupon.applied, true)
  at(endsAt, 0)
  assert.equal((await read()).data.coupon.reason, 'coupon.expired')
  assert.equal((await put(code)).error_code, 'coupon.expired')
})

test('a coupon stays on a changed cart and applies again when its conditions are met', async () => {
  const { store, cart, put, read } = await scene()
  const { code } = await buildCoupon(store, { type: 'fixed', value: 5, minTotalMinor: 1_500n })
  const { items } = (await put(code)).data
  const set = (quantity: number) =>
    request(`PATCH /cart/items/${items[0].id}`, { store, cart, body: { quantity } })

  const less = (await set(1)).data
  assert.deepEqual(
    { reason: less.coupon.reason, total: less.total },
    { reason: 'coupon.min_total_not_met', total: 10 },
  )
  const more = (await set(3)).data
  assert.deepEqual({ applied: more.coupon.applied, total: more.total }, { applied: true, total: 25 })
  assert.deepEqual((await read()).data, more)
})

test('a cart of exactly the minimum meets it', async () => {
  const { store, put } = await scene()

  assert.equal((await put((await buildCoupon(store, { minTotalMinor: 2_000n })).code)).status, 200)
})

test('a deactivated coupon shows its reason on the cart; a deleted one is gone', async () => {
  const { store, put, read, buy } = await scene()
  const coupon = await buildCoupon(store)
  await put(coupon.code)
  const { token } = await buildStaff(store, { role: 'marketing' })

  await request(`DELETE /admin/coupons/${coupon.id}`, { token })
  assert.equal((await read()).data.coupon.reason, 'coupon.not_found')
  await request(`DELETE /admin/coupons/${coupon.id}?purge=true`, { token })
  assert.equal((await read()).data.coupon, null)

  const { status, data } = await buy()
  assert.deepEqual(
    { status, coupon_code: data.order.coupon_code, total: data.order.total },
    { status: 201, coupon_code: '', total: 25 },
  )
})

test('a coupon with a new code is removed from carts', async () => {
  const { store, put, read } = await scene()
  const { id, code } = await buildCoupon(store)
  await put(code)
  const { token } = await buildStaff(store, { role: 'marketing' })

  await request(`PATCH /admin/coupons/${id}`, { token, body: { code: 'LEAKED-NO-MORE' } })

  assert.equal((await read()).data.coupon, null)
})

test('a coupon for products and categories, with their descendants, discounts only these lines', async () => {
  const { store, cart, put, read, buy } = await scene()
  const top = await buildCategory(store)
  const middle = await buildCategory(store, { parentId: top.id, isActive: false })
  const low = await buildCategory(store, { parentId: middle.id })
  const [named, shelved] = [
    await buildProduct(store, { priceMinor: 700n }),
    await buildProduct(store, { priceMinor: 300n, categoryIds: [low.id] }),
  ]
  for (const { id } of [named, shelved])
    await request('POST /cart/items', { store, cart, body: { product_id: id, quantity: 1 } })
  const off = async (given: object) => (await put((await buildCoupon(store, given)).code)).data.discount_total

  assert.equal(await off({ value: 50, categoryIds: [top.id] }), 1.5)
  assert.equal(await off({ value: 50, productIds: [named.id] }), 3.5)
  assert.equal(await off({ type: 'fixed', value: 100, categoryIds: [top.id], productIds: [named.id] }), 10)
  assert.equal(await off({ type: 'fixed', value: 1, categoryIds: [low.id], productIds: [named.id] }), 1)

  const parts = [
    { line_total: 20, discount_total: 0 },
    { line_total: 7, discount_total: 0.7 },
    { line_total: 3, discount_total: 0.3 },
  ]
  const { items } = (await read()).data
  const { order } = (await buy()).data
  for (const lines of [items, order.items])
    assert.deepEqual(
      lines.map(({ line_total, discount_total }: Record<string, number>) => ({
        line_total,
        discount_total,
      })),
      parts,
    )
})

test('after its category is deleted a coupon matches nothing', async () => {
  const { store, put, read } = await scene()
  const category = await buildCategory(store)
  const product = await buildProduct(store, { categoryIds: [category.id] })
  const cart = await fillCart(store, product.variants[0]?.id ?? '')
  await put((await buildCoupon(store, { categoryIds: [category.id] })).code, { cart })

  await inStore(store.id, async (tx) => {
    await tx.knex('product_categories').where({ store_id: store.id, category_id: category.id }).delete()
    await tx.knex('categories').where({ store_id: store.id, id: category.id }).delete()
  })

  assert.equal((await read({ cart })).data.coupon.reason, 'coupon.not_applicable')
})

test('a discount never exceeds the subtotal, and a variant that is no longer sold has the price 0', async () => {
  const { store, cart, put, read } = await scene()
  const other = await buildProduct(store, { priceMinor: 500n })
  await request('POST /cart/items', { store, cart, body: { product_id: other.id, quantity: 1 } })
  await put((await buildCoupon(store, { type: 'fixed', value: 1_000 })).code)
  const amounts = async () => {
    const { subtotal, discount_total, total } = (await read()).data
    return [subtotal, discount_total, total]
  }

  assert.deepEqual(await amounts(), [25, 25, 0])
  await inStore(store.id, (tx) =>
    tx.knex('products').where({ store_id: store.id, id: other.id }).update({ is_active: false }),
  )
  assert.deepEqual(await amounts(), [20, 20, 0])
})

test("POST /checkout redeems the cart's coupon, and the order shows the discount", async () => {
  const { store, put, read, buy } = await scene()
  const coupon = await buildCoupon(store, { code: 'Welcome10' })
  await put('welcome10')

  const { status, data } = await buy({ expected_total: 23 })

  assert.equal(status, 201)
  const { order } = data
  assert.partialDeepStrictEqual(order, {
    coupon_code: 'Welcome10',
    subtotal: 20,
    discount_total: 2,
    shipping_total: 5,
    total: 23,
  })
  assert.equal(order.items[0].discount_total, 2)
  const { uses_count, uses, total } = await couponOf(store, coupon.id)
  assert.deepEqual({ uses_count, total }, { uses_count: 1, total: 1 })
  assert.deepEqual(
    { ...uses[0], id: null, created_at: null },
    {
      id: null,
      order_id: order.id,
      customer_id: null,
      discount: 2,
      currency: 'EUR',
      created_at: null,
      given_back_at: null,
    },
  )
  assert.equal((await read()).data.coupon, null, 'the cart is bare again')
})

test("POST /checkout with coupon_code replaces the cart's coupon, which is removed", async () => {
  const { store, put, read, buy } = await scene()
  const mine = await buildCoupon(store)
  const asked = await buildCoupon(store, { type: 'fixed', value: 7.5 })
  await put(mine.code)

  const { order } = (await buy({ coupon_code: asked.code.toLowerCase() })).data

  assert.partialDeepStrictEqual(order, { coupon_code: asked.code, discount_total: 7.5 })
  assert.equal((await couponOf(store, mine.id)).uses_count, 0)
  assert.equal((await read()).data.coupon, null)
})

test('POST /checkout with a free-shipping coupon costs no shipping, with or without a discount', async () => {
  const { store, variantId, buy } = await scene()
  const alone = await buildCoupon(store, { value: 0, freeShipping: true })
  const all = await buildCoupon(store, { value: 100, freeShipping: true })

  const { order } = (await buy({ coupon_code: alone.code })).data
  assert.partialDeepStrictEqual(order, { discount_total: 0, shipping_total: 0, total: 20 })

  const cart = await fillCart(store, variantId)
  const free = (await buy({ coupon_code: all.code, payment_method: 'card' }, { cart })).data
  assert.deepEqual(
    { total: free.order.total, payment_status: free.order.payment_status, payment: free.payment },
    { total: 0, payment_status: 'paid', payment: null },
  )
})

test("POST /checkout compares the store's minimum with the discounted price", async () => {
  const shop = await buildShop(100, { minOrderTotalMinor: 1_000n })
  const { code } = await buildCoupon(shop.store, { value: 1 })
  const cart = await fillCart(shop.store, shop.variantId)

  const { error_code } = await checkOut(shop, { cart, body: { ...OFFLINE, coupon_code: code } })

  assert.equal(error_code, 'checkout.min_order_not_met')
})

test('a buyer is identified by account or e-mail address, ignoring case', async () => {
  const { store, variantId, put, buy } = await scene()
  const { code } = await buildCoupon(store, { usesPerCustomer: 1 })
  const ada = await buildCustomer(store, { email: 'ada@example.test' })
  const again = async (body: object, token?: string) => {
    const cart = await fillCart(store, variantId)
    return (await buy({ coupon_code: code, ...body }, { cart, ...(token ? { token } : {}) })).error_code
  }

  assert.equal(await again({ email: 'bob@example.test' }), null)
  assert.equal(await again({ email: 'BOB@example.test' }), 'coupon.usage_exceeded')
  assert.equal(await again({ email: undefined }, ada.token), null)
  assert.equal(await again({ email: 'other@example.test' }, ada.token), 'coupon.usage_exceeded')
  assert.equal(await again({ email: 'Ada@Example.test' }), 'coupon.usage_exceeded')
  assert.equal(await again({ email: 'eve@example.test' }), null)
  const eve = await buildCustomer(store, { email: 'Eve@example.test' })
  assert.equal(await again({ email: 'new@example.test' }, eve.token), 'coupon.usage_exceeded')
  const zoe = await buildCustomer(store, { email: 'zoe@example.test' })
  assert.equal(await again({ email: 'another@example.test' }, zoe.token), null)
  assert.equal(await again({ email: 'zoe@example.test' }), 'coupon.usage_exceeded')
  await request('POST /cart/items', { store, token: eve.token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token: eve.token })).error_code, 'coupon.usage_exceeded')
  await request('POST /cart/items', { store, token: ada.token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token: ada.token })).error_code, 'coupon.usage_exceeded')
  assert.equal((await put(code)).status, 200, 'who a guest is, is not known yet')
})

test('a coupon use stores no e-mail address', async () => {
  const { store, buy } = await scene()
  const { code } = await buildCoupon(store)
  await buy({ coupon_code: code, email: 'secret@example.test' })

  const { coupon_uses: uses } = await rowsOf(store)

  assert.equal(uses?.length, 1)
  assert.ok(!uses?.[0]?.includes('secret'))
})

test('a coupon for signed-in customers applies after the guest cart is merged', async () => {
  const { store, cart, variantId, put, read } = await scene()
  const { code } = await buildCoupon(store, { loggedInOnly: true })
  const all = await buildCoupon(store)
  const { email, password, token } = await buildCustomer(store)
  await request('POST /cart/items', { store, token, body: { variant_id: variantId, quantity: 1 } })
  assert.equal((await put(code, { token })).data.coupon.applied, true)
  const signIn = (guests: string) =>
    request('POST /auth/login', { store, cart: guests, body: { email, password } })

  const bare = await fillCart(store, variantId)
  await signIn(bare)
  assert.equal((await read({ token })).data.coupon.code, code, "the customer's stays")

  await put(all.code)
  await signIn(cart)
  const { data } = await read({ token })
  assert.deepEqual(
    { code: data.coupon.code, subtotal: data.subtotal, discount_total: data.discount_total },
    { code: all.code, subtotal: 40, discount_total: 4 },
  )
})

test('DELETE /cart removes the coupon', async () => {
  const { store, cart, variantId, put, read } = await scene()
  await put((await buildCoupon(store)).code)

  await request('DELETE /cart', { store, cart })
  await request('POST /cart/items', { store, cart, body: { variant_id: variantId, quantity: 1 } })

  assert.equal((await read()).data.coupon, null)
})

test('a checkout repeated with its key redeems the coupon once', async () => {
  const { store, shop, cart } = await scene()
  const coupon = await buildCoupon(store)
  const key = randomUUID()
  const body = { ...OFFLINE, coupon_code: coupon.code, email: 'ada@example.test' }

  const first = await checkOut(shop, { cart, key, body })
  const second = await checkOut(shop, { cart, key, body })

  assert.deepEqual(first.data, second.data)
  assert.equal((await couponOf(store, coupon.id)).uses_count, 1)
})

test('a coupon needs one more statement, for any number of lines', async () => {
  const { store, cart, put, read } = await scene()
  const bare = await countStatements(() => read())
  const category = await buildCategory(store)
  await put((await buildCoupon(store)).code)
  const one = await countStatements(() => read())
  for (let i = 0; i < 5; i++) {
    const { id } = await buildProduct(store, { categoryIds: [category.id] })
    await request('POST /cart/items', { store, cart, body: { product_id: id, quantity: 1 } })
  }
  await put((await buildCoupon(store, { categoryIds: [category.id] })).code)

  // Alone in its round trip, it sets its store before it.
  assert.deepEqual(
    { one, statements: await countStatements(() => read()) },
    { one: bare + 2, statements: bare + 2 },
  )
})

test('GET /admin/coupons/{coupon_id}/uses is paged, newest first', async () => {
  const { store, variantId, buy } = await scene()
  const { id, code } = await buildCoupon(store)
  const orders: string[] = []
  for (const _ of [1, 2, 3]) {
    const { data } = await buy({ coupon_code: code }, { cart: await fillCart(store, variantId) })
    orders.unshift(data.order.id)
  }
  const { token } = await buildStaff(store, { role: 'marketing' })
  const page = (no: number) => request(`GET /admin/coupons/${id}/uses?page=${no}&page_size=2`, { token })
  const ids = (data: { order_id: string }[]) => data.map(({ order_id }) => order_id)

  const [first, second] = [await page(1), await page(2)]

  assert.deepEqual([...ids(first.data), ...ids(second.data)], orders)
  assert.deepEqual(first.meta, { page: 1, page_size: 2, total: 3, total_pages: 2 })
  const purge = await request(`DELETE /admin/coupons/${id}?purge=true`, { token })
  assert.partialDeepStrictEqual(purge, { status: 409, error_code: 'coupon.in_use' })
  await request(`DELETE /admin/coupons/${id}`, { token })
  assert.deepEqual(ids((await page(1)).data), orders.slice(0, 2), 'a deactivated one keeps them')
})

/** Price and units of each line, the coupon, the price of the shipping; then what cart and order come to. */
const BASKETS: [
  currency: string,
  lines: [price: string, quantity: number][],
  coupon: { type: 'percent' | 'fixed'; value: number; freeShipping?: boolean },
  shipping: string,
  cart: [subtotal: number, discount: number, total: number],
  order: number,
][] = [
  [
    'JPY',
    [
      ['333', 3],
      ['1', 1],
    ],
    { type: 'percent', value: 15 },
    '500',
    [1000, 150, 850],
    1350,
  ],
  [
    'JPY',
    [
      ['100', 1],
      ['100', 1],
      ['100', 1],
    ],
    { type: 'fixed', value: 100 },
    '500',
    [300, 100, 200],
    700,
  ],
  [
    'EUR',
    [
      ['19.99', 1],
      ['0.01', 3],
    ],
    { type: 'percent', value: 12.5 },
    '4.90',
    [20.02, 2.5, 17.52],
    22.42,
  ],
  [
    'EUR',
    [
      ['0.05', 1],
      ['0.05', 1],
    ],
    { type: 'percent', value: 10 },
    '4.90',
    [0.1, 0.02, 0.08],
    4.98,
  ],
  [
    'EUR',
    [
      ['9.99', 1],
      ['9.99', 2],
    ],
    { type: 'fixed', value: 10, freeShipping: true },
    '4.90',
    [29.97, 10, 19.97],
    19.97,
  ],
  [
    'KWD',
    [
      ['1.005', 3],
      ['0.001', 1],
    ],
    { type: 'percent', value: 33.33 },
    '0.250',
    [3.016, 1.005, 2.011],
    2.261,
  ],
  ['KWD', [['2.500', 1]], { type: 'fixed', value: 99.999 }, '0.250', [2.5, 2.5, 0], 0.25],
]

for (const [currency, lines, coupon, shipping, [subtotal, discount, total], ordered] of BASKETS)
  test(`${currency} ${lines.map((line) => line.join(' × ')).join(' + ')} with ${coupon.value} ${coupon.type} off comes to ${total}`, async () => {
    const { store } = await buildShop(100, { currency })
    const minor = (amount: string) => parseMinor(amount, currency) ?? 0n
    let cart = ''
    for (const [price, quantity] of lines) {
      const { id } = await buildProduct(store, { priceMinor: minor(price) })
      const body = { product_id: id, quantity }
      const { data } = await request('POST /cart/items', { store, ...(cart ? { cart } : {}), body })
      cart ||= data.token
    }
    const { code } = await buildCoupon(store, coupon)

    const priced = (await request('POST /cart/coupon', { store, cart, body: { code } })).data

    assert.partialDeepStrictEqual(priced, { subtotal, discount_total: discount, total })
    const method = await buildShippingMethod(store, { priceMinor: minor(shipping) })
    const body = { ...OFFLINE, expected_total: ordered }
    const { order } = (await checkOut({ store, shipping: method }, { cart, body })).data
    const off = order.items.map((item: { discount_total: number }) => minor(String(item.discount_total)))
    assert.equal(
      off.reduce((sum: bigint, part: bigint) => sum + part, 0n),
      minor(String(discount)),
    )
    assert.partialDeepStrictEqual(order, { discount_total: discount, total: ordered })
  })

testBooks()
